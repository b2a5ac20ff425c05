"""A ROS client of the node `speech`: talks to it, hears it, presses its button."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from node_process import command, node_process
from skill_client import SkillClient
from std_msgs.msg import Bool, Int16MultiArray, String
from waiting import LIMIT, until

from roboinstruct_msgs.action import Ask, Say
from roboinstruct_msgs.msg import Answer, Heartbeat, Question, StopRequest, Utterance
from roboinstruct_ros import names
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.speech.sound import Sound

COMMAND = command("speech.node")


class SpeechClient(SkillClient):
    """What `speech` serves, says and hears."""

    def __init__(self, domain: int) -> None:
        super().__init__(domain)
        self.said: list[str] = []
        self.heard: list[Utterance] = []
        self.stops: list[StopRequest] = []
        self.dictated: list[str] = []
        self.question = Question()
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
        self.button = self.node.create_publisher(Bool, names.PUSH_TO_TALK_TOPIC, 10)
        self.microphone = self.node.create_publisher(Int16MultiArray, names.MICROPHONE_TOPIC, 10)

    def __enter__(self) -> SpeechClient:
        for kind in (Say, Ask):
            assert self._clients[kind].wait_for_server(LIMIT)
        assert wait_discovered(self.node, names.SPEECH_NODE, LIMIT)
        publishers = (self.answer, self.button)
        until(lambda: all(p.get_subscription_count() for p in publishers))
        # this client listens to both of these itself
        until(lambda: self.stop.get_subscription_count() > 1)
        until(lambda: self.heartbeat.get_subscription_count() > 1)
        until(lambda: self.alive > 0)
        return self

    def speak(self, sound: Sound) -> None:
        """Lets the robot's microphone hear a sound."""
        until(lambda: self.microphone.get_subscription_count() > 0)
        self.microphone.publish(Int16MultiArray(data=array("h", sound.samples.tobytes())))

    def touch(self, question: str, answer: str, goal_id: str = "") -> None:
        self.answer.publish(Answer(question=question, answer=answer, goal_id=goal_id))

    def offer(self, kind: Any, **goal: Any) -> Any:
        return self._clients[kind].send_goal_async(
            kind.Goal(**goal), feedback_callback=lambda f: self.feedback.append(f.feedback)
        )

    def ask(self, question: str, *options: str, person: str = "") -> Any:
        """Asks, and waits until the question is open; gives the goal."""
        handle = self.send(Ask, person=person, question=question, options=list(options))
        until(lambda: self.question.question == question)
        return handle

    def wait_phase(self, phase: str) -> None:
        seen = len(self.feedback)
        until(lambda: any(f.phase == phase for f in self.feedback[seen:]))

    def _on_question(self, asked: Question) -> None:
        self.question = asked

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self.alive += message.node == names.SPEECH_NODE


@contextmanager
def speech(domain: int, **parameters: object) -> Iterator[SpeechClient]:
    """The node in a process of its own, which must end well, and a client of it."""
    given = {"audio_out": "none", "audio_in": "topic", "rate": 400, **parameters}
    with node_process(COMMAND, given), SpeechClient(domain) as client:
        yield client
