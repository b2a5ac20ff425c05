"""Tasks in rounds on the real stack, with a model server that can read."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from chromium import chromium
from model_server import ModelServer, Reply, model_server, models, words
from playwright.sync_api import Page, expect
from running_stack import (
    CLI,
    TASK_LIMIT,
    begin,
    outcome_of,
    pid_of,
    read_until,
    wait_up,
)
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

TAKE = '    go_to("kitchen")\n    pick("apple")\n'
PUT = '    go_to("study")\n    place("apple")\n'
ASK = '    go_to("study")\n    ask("Bob", "What do you need?", ["apple", "banana"])\n'
BRING = '    go_to("kitchen")\n    pick("{0}")\n    go_to("study")\n    place("{0}")\n'
PROGRAMS = {
    "Pick up the apple in the kitchen": TAKE,
    "Bring the apple to the study": PUT,
    "Take the apple and wait": TAKE + '    time.sleep(10)\n    say("I have it")\n',
    "Pick up the apple in the study": '    go_to("study")\n    pick("apple")\n',
    "Tell Bob in the study to say what he needs": ASK,
    "bring the apple to Bob in the study": BRING.format("apple"),
    "bring the banana to Bob in the study": BRING.format("banana"),
    "Go to the garage": '    go_to("garage")\n',
}
STEPS = "In two steps: pick up the apple in the kitchen; bring it to the study"


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    """Knows the programs above, for the last instruction of a prompt."""

    def answer(reply: Reply) -> None:
        asked = reply.asked["prompt"].rpartition("# Instruction: ")[2].partition("\n")[0]
        words([PROGRAMS.get(asked, "I do not know.")])(reply)

    with model_server() as server:
        server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
        server.completes(answer)
        yield server


def test_the_second_program_begins_with_what_the_first_left_in_the_hand(
    ros_domain: int, model: ModelServer
) -> None:
    up = ("up", "--headless", "--no-record", "--speed", "0", "--model", model.address)
    outcome = outcome_of(begin(*up, "--once", STEPS, "--yes"), 120)
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.skills == [
        ("go_to", ["kitchen"]),
        ("pick", ["apple"]),
        ("go_to", ["study"]),
        ("place", ["apple"]),
    ]
    first, second = outcome.of_kind("generation_finished")
    assert (first["now"], first["deferred"]) == (
        "Pick up the apple in the kitchen",
        "Bring it to the study",
    )
    assert (second["now"], second["deferred"]) == ("Bring the apple to the study", "")
    prompt = model.last("POST /v1/completions")["prompt"]
    assert "# Found: the robot is in the kitchen and holds the apple\n" in prompt
    assert len({event["task_id"] for event in outcome.events if event["task_id"]}) == 1


def test_rounds_are_bounded_and_a_failed_one_says_what_is_left(
    stack_process: Callable[..., Any], model: ModelServer
) -> None:
    process = stack_process(
        "roboinstruct_ros.cli", "up", "--headless", "--no-record", "--speed", "0",
        "--model", model.address,
    )  # fmt: skip
    wait_up(lambda: stack_process.log_of(process))  # type: ignore[attr-defined]
    bounded = outcome_of(begin("run", STEPS, "--yes", "--max-rounds", "1"))
    assert bounded.exit_code == 1
    assert bounded.error_msg == (
        "1 round is the most for one task; left undone: Bring it to the study"
    )
    # The apple is still in the hand: what comes next is judged from there.
    refused = outcome_of(begin("run", "Pick up the apple in the kitchen", "--yes"))
    assert refused.error_code == TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert "already holds the apple" in refused.error_msg
    unknown = outcome_of(begin("run", "In two steps: go to the garage; dance a tango", "--yes"))
    assert unknown.exit_code == 1
    assert unknown.skills == [("go_to", ["garage"])]
    assert unknown.error_msg.endswith("left undone: Dance a tango")
    # A question needs somebody to answer it: there is no terminal here.
    later = "Go to the garage, then I will tell you what to do"
    asked = outcome_of(begin("run", later, "--yes"))
    assert asked.skills == [("go_to", ["garage"])]
    assert asked.error_msg.startswith("What should the robot do next?")
    # With one, every program is shown and approved.
    code, text = at_a_terminal("run", later, typed=["y", "Go to the garage", "n"])
    assert code == 1
    assert "now: Go to the garage" in text
    assert "later: When it is known what to do next: do it" in text
    assert "round 2" in text
    assert "found: the robot is in the garage" in text
    assert text.count("Run this on the robot?") == 2
    assert text.count("go_to('garage')") == 1, "the second program was not approved"
    code, text = at_a_terminal("run", later, "--approve-once", typed=["y", "Go to the garage"])
    assert code == 0, text
    assert text.count("Run this on the robot?") == 1


def test_a_generator_that_is_started_anew_between_two_rounds_knows_the_hand(
    stack_process: Callable[..., Any], model: ModelServer
) -> None:
    process = stack_process(
        "roboinstruct_ros.cli", "up", "--headless", "--no-record", "--speed", "4",
        "--model", model.address,
    )  # fmt: skip
    wait_up(lambda: stack_process.log_of(process))  # type: ignore[attr-defined]
    task = begin("run", "In two steps: take the apple and wait; bring it to the study", "--yes")
    for _ in ("go_to", "pick"):
        read_until(task, "skill_finished")
    assert command("pause").returncode == 0
    kill_and_await(process, "generator")
    assert command("pause", "--off").returncode == 0
    outcome = outcome_of(task, 120)
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    assert outcome.skills[-1] == ("place", ["apple"])

    taken = outcome_of(begin("run", "Pick up the apple in the study", "--yes"))
    assert taken.exit_code == 0, taken.error_msg
    for name in ("generator", "executor"):
        kill_and_await(process, name)
    refused = outcome_of(begin("run", "Pick up the apple in the kitchen", "--yes"))
    assert "already holds the apple" in refused.error_msg
    put = outcome_of(begin("run", "Bring the apple to the study", "--yes"))
    assert (put.exit_code, put.skills[-1]) == (0, ("place", ["apple"])), put.error_msg


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CLI, *arguments], capture_output=True, text=True, timeout=TASK_LIMIT)


def kill_and_await(up: subprocess.Popen[bytes], name: str) -> None:
    """Kill a node of the stack, and wait until another one of that name is up."""
    before = pid_of(up.pid, name)
    assert before is not None
    os.kill(before, signal.SIGKILL)
    until(lambda: pid_of(up.pid, name) not in (None, before), f"another {name}")

    def is_up() -> bool:
        lines = (line.split() for line in command("status").stdout.splitlines())
        return [name, "up"] in lines

    until(is_up, f"the {name} is back")


def at_a_terminal(*arguments: str, typed: list[str]) -> tuple[int, str]:
    """Exit code and all that a person sees who types these lines."""
    master, slave = pty.openpty()
    process = subprocess.Popen([*CLI, *arguments], stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    os.write(master, "".join(f"{line}\n" for line in typed).encode())
    seen = b""
    with suppress(OSError):  # how a terminal ends
        while part := os.read(master, 4096):
            seen += part
    os.close(master)
    return process.wait(TASK_LIMIT), " ".join(seen.decode().split())


@pytest.fixture(scope="module")
def page(shared_stack: Any, model: ModelServer, shared_port: int) -> Iterator[Page]:
    """The kiosk's, of a stack that the tests here share."""
    processes, _ = shared_stack
    process = processes(
        "roboinstruct_ros.cli", "up", "--no-record", "--speed", "4", "--port", str(shared_port),
        "--model", model.address,
    )  # fmt: skip
    wait_up(lambda: processes.log_of(process))
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{shared_port}")
        yield page


def test_a_person_asks_for_what_bob_needs_and_approves_both_programs(page: Page) -> None:
    expect(page.locator("#write")).to_be_enabled()
    before = page.locator("#history > li:not(.empty)").count()
    page.locator("#words").fill("Ask Bob in the study what he needs and bring it to him.")
    page.locator("#words").press("Enter")
    expect(page.locator("#rounds")).to_contain_text(
        "Now: Tell Bob in the study to say what he needs"
    )
    expect(page.locator("#rounds")).to_contain_text(
        "Later: when it is known what Bob needs: bring it to Bob in the study"
    )
    page.locator("#approve").click()
    expect(page.locator("#rounds")).to_contain_text("Round 2")
    expect(page.locator("#rounds")).to_contain_text("Now: bring the")
    expect(page.locator("#rounds details")).to_contain_text("Bob answered")
    expect(page.locator("#approve")).to_be_enabled()
    # Nothing was pressed since: the robot stands where the first program left it.
    expect(page.locator("#where")).to_have_text("Robot: study")
    expect(page.locator("#history > li:not(.empty)")).to_have_count(before + 1)
    page.locator("#approve").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "succeeded")
    expect(page.locator("#run")).to_contain_text("Put down the")


def test_a_person_says_what_comes_next(page: Page) -> None:
    expect(page.locator("#write")).to_be_enabled()
    page.locator("#words").fill("Go to the garage, then I will tell you what to do.")
    page.locator("#words").press("Enter")
    page.locator("#approve").click()
    expect(page.locator("#say-question")).to_have_text("What should the robot do next?")
    page.locator("#say-words").fill("Pick up the apple in the kitchen")
    page.locator("#say-words").press("Enter")
    expect(page.locator("#code")).to_contain_text('pick("apple")')
    expect(page.locator("#approve")).to_be_enabled()
    expect(page.locator("#where")).to_have_text("Robot: garage")
    page.locator("#stop").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "cancelled")
    expect(page.locator("#run")).to_contain_text("left undone")
    expect(page.locator("#approve")).to_be_disabled()
