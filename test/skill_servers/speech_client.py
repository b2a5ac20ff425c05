"""A ROS client of the node `speech`: talks to it, hears it, presses its button."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import rclpy
from goal_client import GoalClient
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Bool, Int16MultiArray, String
from waiting import LIMIT, until

from roboinstruct_msgs.action import Ask, Say
from roboinstruct_msgs.msg import Admission, Answer, Heartbeat, Question, StopRequest, Utterance
from roboinstruct_ros import names
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import LATCHED, REQUESTS
from roboinstruct_ros.skill_servers.speech.sound import Sound

COMMAND = [sys.executable, "-m", "roboinstruct_ros.skill_servers.speech.node", "--ros-args"]


class SpeechClient:
    """One node beside `speech`; `with` ends it."""

    def __init__(self, domain: int) -> None:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = rclpy.create_node("speech_client", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.said: list[str] = []
        self.heard: list[Utterance] = []
        self.stops: list[StopRequest] = []
        self.dictated: list[str] = []
        self.question = Question()
        self.feedback: list[Any] = []
        self.alive = 0
        kept = [
            (String, names.SPEECH_TOPIC, 100, lambda m: self.said.append(m.data)),
            (Utterance, names.HEARD_TOPIC, 100, self.heard.append),
            (String, names.DICTATION_TOPIC, 10, lambda m: self.dictated.append(m.data)),
            (Question, names.QUESTION_TOPIC, LATCHED, self._on_question),
            (StopRequest, names.STOP_REQUEST_TOPIC, 10, self.stops.append),
            (Heartbeat, names.HEARTBEAT_TOPIC, 10, self._on_heartbeat),
        ]
        for kind, topic, qos, take in kept:
            self.node.create_subscription(kind, topic, take, qos)
        publisher = self.node.create_publisher
        self.stop = publisher(StopRequest, names.STOP_REQUEST_TOPIC, 10)
        self.heartbeat = publisher(Heartbeat, names.HEARTBEAT_TOPIC, 10)
        self.answer = publisher(Answer, names.ANSWER_TOPIC, 10)
        self.button = publisher(Bool, names.PUSH_TO_TALK_TOPIC, 10)
        self.microphone = publisher(Int16MultiArray, names.MICROPHONE_TOPIC, 10)
        actions = {Say: names.SAY_ACTION, Ask: names.ASK_ACTION}
        self._clients = {
            kind: GoalClient(
                self.node,
                kind,
                name,
                goal_service_qos_profile=REQUESTS,
                result_service_qos_profile=REQUESTS,
            )
            for kind, name in actions.items()
        }
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def __enter__(self) -> SpeechClient:
        for client in self._clients.values():
            assert client.wait_for_server(LIMIT)
        assert wait_discovered(self.node, names.SPEECH_NODE, LIMIT)
        publishers = (self.answer, self.button)
        until(lambda: all(p.get_subscription_count() for p in publishers))
        # this client listens to both of these itself
        until(lambda: self.stop.get_subscription_count() > 1)
        until(lambda: self.heartbeat.get_subscription_count() > 1)
        until(lambda: self.alive > 0)
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown()
        self._thread.join(2)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def speak(self, sound: Sound) -> None:
        """Lets the robot's microphone hear a sound."""
        until(lambda: self.microphone.get_subscription_count() > 0)
        self.microphone.publish(Int16MultiArray(data=array("h", sound.samples.tobytes())))

    def touch(self, question: str, answer: str) -> None:
        self.answer.publish(Answer(question=question, answer=answer))

    def send(self, kind: Any, session: str = "", **goal: Any) -> Any:
        admission = Admission(session=session)
        handle = self._done(self.offer(kind, admission=admission, **goal))
        assert handle.accepted
        return handle

    def offer(self, kind: Any, **goal: Any) -> Any:
        return self._clients[kind].send_goal_async(
            kind.Goal(**goal), feedback_callback=lambda f: self.feedback.append(f.feedback)
        )

    def result(self, handle: Any) -> Any:
        """Gives (status, result) of a goal."""
        done = self._done(handle.get_result_async())
        return done.status, done.result

    def run(self, kind: Any, **goal: Any) -> Any:
        return self.result(self.send(kind, **goal))[1]

    def ask(self, question: str, *options: str, person: str = "") -> Any:
        """Asks, and waits until the question is open; gives the goal."""
        handle = self.send(Ask, person=person, question=question, options=list(options))
        until(lambda: self.question.question == question)
        return handle

    def wait_phase(self, phase: str) -> None:
        seen = len(self.feedback)
        until(lambda: any(f.phase == phase for f in self.feedback[seen:]))

    def _done(self, future: Any) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(LIMIT), "no reply"
        return future.result()

    def done(self, future: Any) -> Any:
        return self._done(future)

    def _on_question(self, asked: Question) -> None:
        self.question = asked

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self.alive += message.node == names.SPEECH_NODE


@contextmanager
def speech(domain: int, **parameters: object) -> Iterator[SpeechClient]:
    """The node in a process of its own, which must end well, and a client of it."""
    given = {"audio_out": "none", "audio_in": "topic", "rate": 400, **parameters}
    words = [part for k, v in given.items() for part in ("-p", f"{k}:={v}")]
    process = subprocess.Popen(COMMAND + words, stderr=subprocess.PIPE, text=True)
    try:
        with SpeechClient(domain) as client:
            yield client
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 0, said
        assert "Traceback" not in said
    finally:
        process.kill()
        print(process.communicate()[1])
