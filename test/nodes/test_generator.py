"""The generator node as a process: what its action answers, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from given_time import GivenTime, time_to_end
from model_server import Reply, model_server, words
from tiny_gguf import write_tiny_gguf
from waiting import LIMIT, until

pytestmark = pytest.mark.stack


class Client:
    """An action client with its own thread, and the generator's events."""

    def __init__(self) -> None:
        import rclpy
        from goal_client import GoalClient
        from rclpy.executors import SingleThreadedExecutor

        from roboinstruct_msgs.action import GenerateProgram
        from roboinstruct_msgs.msg import Event
        from roboinstruct_ros import names
        from roboinstruct_ros.nodes.qos import EVENTS

        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self.node = rclpy.create_node("generator_test", context=self._context)
        self._client = GoalClient(self.node, GenerateProgram, names.GENERATE_PROGRAM_ACTION)
        self._goal_type = GenerateProgram.Goal
        self._changes: Any = None
        self.events: list[Any] = []
        self.node.create_subscription(Event, names.EVENTS_TOPIC, self.events.append, EVENTS)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def ask(self, instruction: str, feedback: Any = None, task_id: str = "t1", **goal: Any) -> Any:
        """The accepted goal's handle."""
        from roboinstruct_ros.nodes.discovery import wait_discovered

        assert self._client.wait_for_server(LIMIT)
        assert wait_discovered(self.node, "generator", LIMIT)
        goal = self._goal_type(task_id=task_id, instruction=instruction, **goal)
        handle = self.wait(self._client.send_goal_async(goal, feedback_callback=feedback))
        assert handle.accepted
        return handle

    def change(self, transition: int) -> bool:
        """Whether the generator has made that transition of its lifecycle."""
        from lifecycle_msgs.srv import ChangeState

        if self._changes is None:
            self._changes = self.node.create_client(ChangeState, "generator/change_state")
        assert self._changes.wait_for_service(LIMIT)
        request = ChangeState.Request()
        request.transition.id = transition
        return bool(self.wait(self._changes.call_async(request)).success)

    def finished(self, task_id: str) -> dict[str, Any]:
        """Data of the event that ended the writing for that request."""
        ends: list[Any] = []

        def ended() -> bool:
            ends[:] = [e for e in self.events if e.kind == "generation_finished"]
            return any(event.task_id == task_id for event in ends)

        until(ended)
        return dict(next(json.loads(event.data) for event in ends if event.task_id == task_id))

    def events_publisher(self) -> Any:
        """A publisher of events that the generator listens to."""
        from roboinstruct_msgs.msg import Event
        from roboinstruct_ros import names
        from roboinstruct_ros.nodes.qos import EVENTS

        publisher = self.node.create_publisher(Event, names.EVENTS_TOPIC, EVENTS)
        # this node listens to the topic itself
        until(lambda: publisher.get_subscription_count() >= 2)
        return publisher

    def result(self, handle: Any) -> Any:
        return self.wait(handle.get_result_async()).result

    @staticmethod
    def wait(future: Any) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(LIMIT), "no answer in time"
        return future.result()

    def close(self) -> None:
        self._executor.shutdown()
        self._thread.join()
        self.node.destroy_node()
        self._context.try_shutdown()


@pytest.fixture
def client(ros_domain: int) -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


def start_node(model: Path | str, **parameters: str) -> subprocess.Popen[str]:
    arguments = [f"model:={model}", *(f"{name}:={value}" for name, value in parameters.items())]
    command = [sys.executable, "-m", "roboinstruct_ros.nodes.generator.node", "--ros-args"]
    for argument in arguments:
        command += ["-p", argument]
    return subprocess.Popen(
        command, env=os.environ.copy(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def end_node(node: subprocess.Popen[str], number: int) -> tuple[float, str]:
    """Seconds that the node took to end after a signal, and all it printed."""
    took = time_to_end(node, number)
    return took, node.communicate()[0]


def test_without_a_model_every_request_is_answered_with_one_clear_line(
    client: Client, tmp_path: Path
) -> None:
    from roboinstruct_msgs.msg import TaskErrorCode

    path = tmp_path / "foreign.gguf"
    path.write_bytes(b"this is no model")
    node = start_node(path)
    try:
        for instruction, code in (
            ("Go to the kitchen", TaskErrorCode.MODEL_NOT_LOADED),
            ("", TaskErrorCode.INSTRUCTION_EMPTY),
            ("Go to the kitchen", TaskErrorCode.MODEL_NOT_LOADED),
        ):
            result = client.result(client.ask(instruction))
            assert result.error_code == code and "\n" not in result.error_msg
        assert result.error_msg.startswith(f"{path}: not a GGUF model file")
        assert node.poll() is None
    finally:
        took, output = end_node(node, signal.SIGTERM)
    assert node.returncode == 0 and took < 1.0
    assert "Traceback" not in output
    kinds = [event.kind for event in client.events if event.task_id == "t1"]
    assert kinds.count("generation_started") == kinds.count("generation_finished") == 3


def test_a_slow_model_streams_is_busy_is_cancelled_and_ends(client: Client, tmp_path: Path) -> None:
    from roboinstruct_msgs.msg import TaskErrorCode

    model = write_tiny_gguf(tmp_path / "wide.gguf", layers=12, width=384, context=4096)
    node = start_node(model, max_tokens="4000")
    try:
        texts: list[str] = []
        heard = threading.Event()

        def hear(message: Any) -> None:
            texts.append(message.feedback.text)
            if message.feedback.tokens > 3:
                heard.set()

        handle = client.ask("Go to the kitchen", hear)
        assert heard.wait(LIMIT) and any(texts)

        busy = client.result(client.ask("Go to the study"))
        assert busy.error_code == TaskErrorCode.BUSY

        given = GivenTime(node.pid)
        result = handle.get_result_async()
        client.wait(handle.cancel_goal_async())
        assert client.wait(result).result.error_code == TaskErrorCode.CANCELED
        assert given.until(time.time()) < 0.25  # 0.1 s in the node, the rest for the way there

        heard.clear()
        client.ask("Go to the garage", hear)
        assert heard.wait(LIMIT)
    finally:
        took, output = end_node(node, signal.SIGINT)
    assert node.returncode == 0 and took < 1.0
    assert "Traceback" not in output


def test_each_state_of_the_lifecycle_answers_and_shutting_down_ends_the_process(
    client: Client, tmp_path: Path
) -> None:
    from lifecycle_msgs.msg import Transition

    from roboinstruct_msgs.msg import TaskErrorCode

    model = write_tiny_gguf(tmp_path / "wide.gguf", layers=12, width=384, context=4096)
    node = start_node(model, max_tokens="4000")
    heard = threading.Event()

    def refused() -> str:
        result = client.result(client.ask("Go to the study"))
        assert result.error_code == TaskErrorCode.MODEL_NOT_LOADED
        return str(result.error_msg)

    try:
        writing = client.ask("Go to the kitchen", lambda _: heard.set())
        assert heard.wait(LIMIT)
        assert not client.change(Transition.TRANSITION_ACTIVATE), "it is active"
        assert client.change(Transition.TRANSITION_DEACTIVATE)
        assert client.result(writing).error_code == TaskErrorCode.CANCELED
        assert refused() == "the generator is inactive; activate it"
        assert client.change(Transition.TRANSITION_CLEANUP)
        assert refused() == "the model is not loaded; configure the generator"
        assert not client.change(Transition.TRANSITION_ACTIVATE), "it is unconfigured"
        assert client.change(Transition.TRANSITION_CONFIGURE)
        assert client.change(Transition.TRANSITION_ACTIVATE)
        heard.clear()
        client.ask("Go to the garage", lambda _: heard.set())
        assert heard.wait(LIMIT)
        assert client.change(Transition.TRANSITION_ACTIVE_SHUTDOWN)
        assert node.wait(LIMIT) == 0
    finally:
        _, output = end_node(node, signal.SIGINT)
    assert "Traceback" not in output


def test_a_server_as_the_model_writes_and_is_left_when_it_falls_silent(client: Client) -> None:
    from roboinstruct_msgs.msg import TaskErrorCode

    silent, left = threading.Event(), threading.Event()

    def fall_silent(reply: Reply) -> None:
        silent.set()
        if reply.wait_until_left():
            left.set()

    with model_server() as server:
        server.answers["POST /tokenize"] = lambda reply: reply.whole({"count": 40})
        server.completes(words(["    go_to(", '"kitchen")', "\n"]))
        model = f"{server.address}?model=tiny&prompt_format=instruction_comment"
        node = start_node(model)
        try:
            result = client.result(client.ask("Go to the kitchen"))
            assert result.error_msg == "" and 'go_to("kitchen")' in result.source
            assert result.prompt_tokens == 40

            server.completes(fall_silent)
            handle = client.ask("Go to the study")
            assert silent.wait(LIMIT)
            client.wait(handle.cancel_goal_async())
            assert client.result(handle).error_code == TaskErrorCode.CANCELED
            assert left.wait(LIMIT)
        finally:
            took, output = end_node(node, signal.SIGINT)
    assert node.returncode == 0 and took < 1.0
    assert "Traceback" not in output and f"tiny at {server.address} is ready" in output


def test_a_task_is_changed_returned_to_and_learned_from(client: Client, tmp_path: Path) -> None:
    from roboinstruct_msgs.msg import Event, TaskErrorCode

    library = tmp_path / "library.sqlite"
    with model_server() as server:
        server.answers["POST /tokenize"] = lambda reply: reply.whole({"count": 40})
        server.completes(words(["    go_to(", '"kitchen")', "\n"]))
        model = f"{server.address}?model=tiny&prompt_format=completion"
        node = start_node(model, library=str(library))
        try:
            first = client.result(client.ask("Go to the kitchen", task_id="aaaa"))
            assert first.error_msg == "" and first.steering == "" and first.parent_sha256 == ""
            server.completes(words(["    go_to(", '"kitchen")', "\n", '    say("hi")\n']))
            second = client.result(client.ask("also say hi", task_id="bbbb", follows="aaaa"))
            assert (second.steering, second.parent_sha256) == ("extend", first.program_sha256)
            back = client.result(client.ask("undo that", task_id="cccc", follows="last"))
            assert (back.steering, back.source) == ("return", first.source)
            lost = client.result(client.ask("also go", task_id="dddd", follows="nothing"))
            assert lost.error_code == TaskErrorCode.UNKNOWN
            assert "no task 'nothing'" in lost.error_msg
            data = client.finished("bbbb")
            assert (data["task"], data["version"], data["steering"]) == ("aaaa", 2, "extend")

            publisher = client.events_publisher()
            run = {"program_sha256": second.program_sha256, "outcome": "succeeded"}
            for kind in ("program_approved", "run_finished"):
                said = json.dumps(run)
                publisher.publish(Event(source="executor", task_id="bbbb", kind=kind, data=said))
            until(lambda: succeeded(library))
        finally:
            _, output = end_node(node, signal.SIGINT)
    assert node.returncode == 0 and "Traceback" not in output


def test_a_second_round_waits_for_what_the_first_has_in_its_hand(client: Client) -> None:
    from roboinstruct_msgs.msg import Event

    place = ["    go_to(", '"study")', "\n", '    place("apple")\n']
    told, asked_when_told = threading.Event(), []

    def count(reply: Reply) -> None:
        asked_when_told.append(told.is_set())
        reply.whole({"count": 40})

    with model_server() as server:
        server.answers["POST /tokenize"] = count
        server.completes(words(place))
        node = start_node(f"{server.address}?model=tiny&prompt_format=completion")
        try:
            publisher = client.events_publisher()
            found = ["the robot is in the kitchen and holds the apple"]
            writing = client.ask("Bring the apple to the study", found=found)
            until(lambda: any(e.kind == "generation_started" for e in client.events))
            call = {"index": 1, "skill": "pick", "arguments": ["apple"]}
            event = Event(source="executor", kind="skill_finished", data=json.dumps(call))
            told.set()
            publisher.publish(event)
            result = client.result(writing)
            assert all(asked_when_told)
            assert (result.error_msg, result.attempts) == ("", 1)
        finally:
            _, output = end_node(node, signal.SIGINT)
    assert node.returncode == 0 and "Traceback" not in output


def test_a_model_is_told_where_the_robot_is_and_its_words_are_the_answer(client: Client) -> None:
    from geometry_msgs.msg import PoseStamped

    from roboinstruct_msgs.msg import Event, TaskErrorCode
    from roboinstruct_ros import names
    from roboinstruct_ros.nodes.qos import LATCHED

    pose = PoseStamped()
    pose.pose.position.x, pose.pose.position.y = 10.0, 2.5
    poses = client.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
    poses.publish(pose)
    with model_server() as server:
        server.answers["POST /tokenize"] = lambda reply: reply.whole({"count": 40})
        server.completes(words(["    # Question: Which", " bath? | bathroom | pool", "\n"]))
        node = start_node(f"{server.address}?model=tiny&prompt_format=robot_task", map="home")
        try:
            publisher = client.events_publisher()
            call = {"index": 1, "skill": "pick", "arguments": ["apple"]}
            publisher.publish(
                Event(source="executor", kind="skill_finished", data=json.dumps(call))
            )

            def told() -> str:
                result = client.result(client.ask("Bring it to the bath"))
                assert (result.answer, result.answer_words) == ("question", "Which bath?")
                assert list(result.choices) == ["bathroom", "pool"]
                assert result.error_code == TaskErrorCode.NO_ACCEPTED_PROGRAM
                assert (result.source, list(result.plan)) == ("", [])
                return str(server.last("POST /v1/completions")["prompt"])

            until(lambda: "\n# Here: kitchen\n# Holding: apple\n# Instruction: Bring" in told())
            assert told().startswith("# Rooms: hallway, garage, ")
            assert client.finished("t1")["answer"]["choices"] == ["bathroom", "pool"]
            assert not any(event.kind == "error" for event in client.events)
        finally:
            _, output = end_node(node, signal.SIGINT)
    assert node.returncode == 0 and "Traceback" not in output


def test_a_damaged_library_is_told_once_and_costs_nothing(client: Client, tmp_path: Path) -> None:
    library = tmp_path / "library.sqlite"
    library.write_text("this is no library")
    with model_server() as server:
        server.answers["POST /tokenize"] = lambda reply: reply.whole({"count": 40})
        server.completes(words(["    go_to(", '"kitchen")', "\n"]))
        node = start_node(f"{server.address}?model=tiny", library=str(library))
        try:
            for task_id in ("aaaa", "bbbb"):
                assert client.result(client.ask("Go to the kitchen", task_id=task_id)).source
            client.finished("bbbb")
        finally:
            _, output = end_node(node, signal.SIGINT)
    warnings = [json.loads(event.data) for event in client.events if event.kind == "warning"]
    assert len(warnings) == 1 and warnings[0]["message"].startswith(f"{library}: this is no task")
    assert library.read_text() == "this is no library" and "Traceback" not in output


def succeeded(library: Path) -> bool:
    with sqlite3.connect(f"file:{library}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT number, approved, runs, robot FROM versions"
            " LEFT JOIN successes ON version = id ORDER BY number"
        )
        robot = f"{os.environ['ROS_DOMAIN_ID']}//service_robot"
        return rows.fetchall() == [(1, 0, None, None), (2, 1, 1, robot)]
