"""A checkout of the benchmark is read, and judges programs by its own checks, in safety."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.readers.roboeval.check import RoboEvalCheck
from roboinstruct_ros.evaluate.readers.roboeval.checkout import ANYWHERE, read, task_files
from roboinstruct_ros.evaluate.readers.roboeval.task_process import TaskFault, TaskFile, TaskProcess
from roboinstruct_ros.evaluate.suite.case import Case, Suite
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.suite.open_suite import UnknownSuite, open_suite
from roboinstruct_ros.evaluate.worlds.trials import Trials

CHECKOUT = Path(__file__).parent / "roboeval_checkout"

LENDS = """
go_to("atrium")
if ask("Noor", "Do you want an umbrella?", ["Yes", "No"]) == "yes":
    go_to("depot")
    pick("umbrella")
    go_to("atrium")
    place("umbrella")
"""
GREETS = 'go_to("gate")\nwhile not is_in_room("person"):\n    time.sleep(1)\nsay("Hello")\n'


@pytest.fixture(scope="module")
def suite() -> Suite:
    return open_suite(f"roboeval:{CHECKOUT}")


def check_of(suite: Suite, task: str) -> RoboEvalCheck:
    check = next(case.check for case in suite.cases if case.task == task)
    assert isinstance(check, RoboEvalCheck)
    return check


def why(suite: Suite, task: str, program: str) -> str:
    return next((one.why for one in check_of(suite, task).runs_of(program) if one.why), "")


def test_every_prompt_of_every_task_is_a_case(suite: Suite) -> None:
    assert not suite.left_out
    assert [(case.task, case.phrasing) for case in suite.cases] == [
        (task, phrasing)
        for task in ("GreetAtGate", "LendUmbrella", "TellLadders")
        for phrasing in range(5)
    ]
    assert suite.cases[2].text == "Say hello to the first person at the gate."
    assert suite.cases[0].place is ANYWHERE and ANYWHERE.map is None


def test_a_right_program_passes_every_test(suite: Suite) -> None:
    assert why(suite, "LendUmbrella", LENDS) == ""
    case = next(case for case in suite.cases if case.task == "LendUmbrella")
    assert program_fault(case, LENDS, Trials()) == ""


def test_where_all_runs_end_the_check_decides(suite: Suite) -> None:
    fault = why(suite, "LendUmbrella", 'go_to("atrium")\nask("noor", "umbrella?", ["yes", "no"])')
    assert fault == "CompletionError: check 0 does not hold"


def test_the_first_run_with_an_error_decides(suite: Suite) -> None:
    check = check_of(suite, "LendUmbrella")
    always = LENDS.replace('== "yes"', '!= ""') + "pick(1 if is_in_room('elk') else 'elk')"
    runs = check.runs_of(always)
    assert [run.world for run in runs] == ["test 0"]
    assert runs[0].fault.startswith("RobotExecutionError: ") and runs[0].fault == runs[0].why
    assert runs[0].calls[:2] == ("GoTo atrium", "Ask do you want an umbrella? ['yes', 'no']")


def test_an_error_of_a_later_run_outdoes_a_check_that_does_not_hold(suite: Suite) -> None:
    case = next(case for case in suite.cases if case.task == "LendUmbrella")
    late = 'go_to("atrium")\nif ask("noor", "umbrella?", ["yes", "no"]) == "no":\n    1 / 0\n'
    assert program_fault(case, late, Trials()) == "PythonError: ZeroDivisionError: division by zero"


def test_a_time_out_that_is_expected_goes_to_the_check_and_another_is_an_error(
    suite: Suite,
) -> None:
    assert why(suite, "GreetAtGate", GREETS) == ""
    assert why(suite, "GreetAtGate", GREETS.replace("person", "3")) == ""  # .* matches anything
    fault = why(suite, "LendUmbrella", "while True: time.sleep(1)")
    assert fault.startswith("PythonError: TimeoutError")
    quick = 'go_to("gate")\nif is_in_room("person"):\n    say("Hello")\n'
    assert why(suite, "GreetAtGate", quick).startswith("CompletionError: check 1")


def test_a_check_sees_a_fresh_import_for_every_run(suite: Suite) -> None:
    check = check_of(suite, "GreetAtGate")  # which is not content with a second call
    for _ in range(2):
        assert not any(run.why for run in check.runs_of(GREETS))


def test_a_check_can_be_sent_to_another_process(suite: Suite) -> None:
    assert pickle.loads(pickle.dumps(suite.cases[0])) == suite.cases[0]


def test_the_folders_of_the_release_are_found_too(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "benchmark", tmp_path / "roboeval" / "benchmark")
    suite = read(tmp_path)
    assert len(suite.cases) == 15 and not suite.left_out
    assert why(suite, "GreetAtGate", GREETS) == why(suite, "LendUmbrella", LENDS) == ""


def test_a_folder_without_tasks_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownSuite, match=r"no task modules in .*benchmark/tasks"):
        open_suite(f"roboeval:{tmp_path}")


# What a task module may do, and the fault by which it is named.
HOSTILE = {
    "no Python at all": "SyntaxError",
    "import os; os._exit(3)": "its import ended its process",
    "raise SystemExit": "SystemExit",
    "while True: pass": "its import takes more than",
    "x = bytearray(10**11)": "MemoryError",
    "prompts = []; tests = []": "it has no `name`",
    "name = 'N'; prompts = [1]; tests = []": "a int where a text belongs",
    "import os; os.system('true') == 0 or missing": "NameError",
    "import socket; socket.socket()": "PermissionError",
    "open('/etc/hostname')": "PermissionError",
    "open(__file__, 'a')": "PermissionError",
    "import os; os.unlink(__file__)": "PermissionError",
    "import os; os.kill(os.getppid(), 9)": "PermissionError",
    "import os; os.fork()": "PermissionError",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_task_that_fails_or_does_harm_costs_itself_alone(tmp_path: Path, text: str) -> None:
    shutil.copytree(CHECKOUT / "benchmark", tmp_path / "benchmark")
    task = tmp_path / "benchmark" / "tasks" / "Wild.py"
    task.write_text(f"{text}\n")
    wild = next(one for one in task_files(tmp_path) if one.name == "Wild")
    with pytest.raises(TaskFault, match=f"Wild: .*{HOSTILE[text]}"):
        TaskProcess(wild, longest=2.0).told()
    assert task.read_text() == f"{text}\n"


def test_a_task_that_fails_is_left_out_by_name(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "benchmark", tmp_path / "benchmark")
    (tmp_path / "benchmark" / "tasks" / "Wild.py").write_text("1 / 0\n")
    suite = read(tmp_path)
    assert len(suite.cases) == 15
    assert list(suite.left_out) == [
        "task, Wild: its import fails: ZeroDivisionError: division by zero"
    ]


CHECKS = {
    "1 / 0": "check 0 fails: ZeroDivisionError",
    "__import__('os')._exit(0)": "check 0 ended its process",
    "any(iter(int, 1))": "check 0 takes more than",
    "print('x' * 10**7) or True": "",
}


@pytest.mark.parametrize("text", CHECKS)
def test_a_check_that_fails_by_itself_is_told_by_name(tmp_path: Path, text: str) -> None:
    shutil.copytree(CHECKOUT / "benchmark", tmp_path / "benchmark")
    (tmp_path / "benchmark" / "tasks" / "Wild.py").write_text(
        "from benchmark.simulator import State\n"
        "name, prompts = 'Wild', ['Do what you like.']\n"
        f"tests = [{{'state': State(), 'test': lambda trace: {text}, 'timeout': False}}]\n"
    )
    process = TaskProcess(TaskFile((str(tmp_path),), "benchmark.tasks.Wild"), longest=5.0)
    assert process.told().prompts == ("Do what you like.",)
    if CHECKS[text]:
        with pytest.raises(TaskFault, match=f"Wild: {CHECKS[text]}"):
            process.holds(0, [])
    else:
        assert process.holds(0, [])
    process.close()


def test_such_a_check_is_no_fault_of_the_program(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "benchmark", tmp_path / "benchmark")
    task = tmp_path / "benchmark" / "tasks" / "LendUmbrella.py"
    task.write_text(task.read_text().replace("ends = ", "ends = 1 / 0, "))
    fault = why(read(tmp_path), "LendUmbrella", LENDS)
    assert fault == "CheckError: LendUmbrella: check 0 fails: ZeroDivisionError: division by zero"


def test_a_case_without_a_check_of_its_own_is_judged_by_its_worlds() -> None:
    assert Case("x", "x", ANYWHERE).check is None
