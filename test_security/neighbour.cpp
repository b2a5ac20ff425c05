// One participant of DDS, in an enclave or in none, that writes or reads for a while.
//
//   neighbour KEYSTORE ENCLAVE WRITTEN READ SECONDS [ask|answer]
//
// ENCLAVE, WRITTEN and READ may be "-" for none. It writes WRITTEN 20 times a second until it has
// heard something on READ, or all the time when it reads nothing. With `answer` it writes only when
// it hears; with `ask` the next number when the last was answered, and tells the times.
//
// Prints what became of it: "participant refused", "topic refused", or "there", and at the end
// "matched N heard N", for `ask` also "median US p99 US". Needs eProsima Fast DDS with its security
// plugins.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

class Number : public TopicDataType {
 public:
  Number() {
    setName("number");
    m_typeSize = 8;
  }
  bool serialize(void* data, SerializedPayload_t* payload) override {
    std::memset(payload->data, 0, 8);
    std::memcpy(payload->data + 4, data, 4);
    payload->encapsulation = CDR_LE;
    payload->length = 8;
    return true;
  }
  bool deserialize(SerializedPayload_t* payload, void* data) override {
    std::memcpy(data, payload->data + 4, 4);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void*) override {
    return [] { return 8u; };
  }
  void* createData() override { return new uint32_t(0); }
  void deleteData(void* data) override { delete static_cast<uint32_t*>(data); }
  bool getKey(void*, InstanceHandle_t*, bool) override { return false; }
};

std::atomic<int> matched{0}, heard{0};
DataWriter* answering = nullptr;

class Listener : public DataReaderListener, public DataWriterListener {
 public:
  void on_subscription_matched(DataReader*, const SubscriptionMatchedStatus& now) override {
    matched += now.current_count_change > 0;
  }
  void on_publication_matched(DataWriter*, const PublicationMatchedStatus& now) override {
    matched += now.current_count_change > 0;
  }
  void on_data_available(DataReader* reader) override {
    uint32_t number;
    SampleInfo info;
    while (reader->take_next_sample(&number, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      if (answering) answering->write(&number);
      ++heard;
    }
  }
};

using Clock = std::chrono::steady_clock;

// One after the other, each at the latest after 100 ms.
void ask(DataWriter* writer, Clock::time_point until) {
  std::vector<double> times;
  for (uint32_t number = 0; Clock::now() < until; ++number) {
    const int before = heard;
    const auto begin = Clock::now();
    writer->write(&number);
    while (heard == before && Clock::now() < begin + std::chrono::milliseconds(100))
      std::this_thread::sleep_for(std::chrono::microseconds(5));
    if (heard != before && number > 20)
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::sort(times.begin(), times.end());
  if (!times.empty())
    std::cout << "median " << times[times.size() / 2] << " p99 " << times[times.size() * 99 / 100]
              << std::endl;
}

DomainParticipantQos in_enclave(const std::string& keystore, const std::string& enclave) {
  DomainParticipantQos qos;
  qos.name(enclave.c_str());
  if (enclave == "-") return qos;
  const std::string there = "file://" + keystore + "/enclaves/" + enclave + "/";
  auto& said = qos.properties().properties();
  auto say = [&said](const char* name, const std::string& value) { said.emplace_back(name, value); };
  say("dds.sec.auth.plugin", "builtin.PKI-DH");
  say("dds.sec.auth.builtin.PKI-DH.identity_ca", there + "identity_ca.cert.pem");
  say("dds.sec.auth.builtin.PKI-DH.identity_certificate", there + "cert.pem");
  say("dds.sec.auth.builtin.PKI-DH.private_key", there + "key.pem");
  say("dds.sec.crypto.plugin", "builtin.AES-GCM-GMAC");
  say("dds.sec.access.plugin", "builtin.Access-Permissions");
  say("dds.sec.access.builtin.Access-Permissions.permissions_ca", there + "permissions_ca.cert.pem");
  say("dds.sec.access.builtin.Access-Permissions.governance", there + "governance.p7s");
  say("dds.sec.access.builtin.Access-Permissions.permissions", there + "permissions.p7s");
  return qos;
}

int main(int count, char** given) {
  const std::string keystore = given[1], enclave = given[2], mode = count > 6 ? given[6] : "";
  const std::string written = given[3], read = given[4];
  auto* factory = DomainParticipantFactory::get_instance();
  auto* participant = factory->create_participant(
      std::atoi(std::getenv("ROS_DOMAIN_ID")), in_enclave(keystore, enclave));
  if (!participant) return std::cout << "participant refused" << std::endl, 0;
  TypeSupport type(new Number());
  type.register_type(participant);
  Listener listener;
  DataWriter* writer = nullptr;
  DataReader* reader = nullptr;
  if (written != "-") {
    DataWriterQos qos;
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    auto* topic = participant->create_topic(written, "number", TOPIC_QOS_DEFAULT);
    writer = participant->create_publisher(PUBLISHER_QOS_DEFAULT)
                 ->create_datawriter(topic, qos, &listener);
  }
  if (mode == "answer") answering = writer;
  if (read != "-") {
    DataReaderQos qos;
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    auto* topic = participant->create_topic(read, "number", TOPIC_QOS_DEFAULT);
    reader = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)
                 ->create_datareader(topic, qos, &listener);
  }
  if ((written != "-" && !writer) || (read != "-" && !reader))
    return std::cout << "topic refused" << std::endl, 0;
  std::cout << "there" << std::endl;
  const auto until = Clock::now() + std::chrono::milliseconds(int(1000 * std::atof(given[5])));
  if (mode == "ask") {
    ask(writer, until);
  } else {
    for (uint32_t number = 0; Clock::now() < until; ++number) {
      if (writer && mode.empty()) writer->write(&number);
      if (reader && heard > 0 && mode.empty()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  std::cout << "matched " << matched << " heard " << heard << std::endl;
  participant->delete_contained_entities();
  factory->delete_participant(participant);
  return 0;
}
