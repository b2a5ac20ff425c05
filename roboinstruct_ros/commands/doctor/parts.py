"""Checks the requirements of the shipped perception, arm and speech servers; starts nothing."""

from __future__ import annotations

import importlib
import importlib.util
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from roboinstruct_ros.commands.finding import Finding
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.skill_servers.kit.robot_packages import debian
from roboinstruct_ros.skill_servers.moveit.grasp_config import load_grasps
from roboinstruct_ros.skill_servers.moveit.moveit_arm import USED
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names


def how_to_start(part: str) -> str:
    """How to start the shipped server of a part of the robot."""
    check, switch = _CHECKS[part]
    finding = check()
    first = "" if finding.good else f"{finding.mend}; then "
    return f"{first}{switch} at the launch, or the robot's own server, or --without {part}"


def check_perception() -> Finding:
    what = "perception packages"
    missing = _missing(what, "vision_msgs", "tf2_ros")
    unreadable = _unreadable("config/object_names.yaml", load_object_names)
    return missing or unreadable or Finding(what, "vision_msgs, tf2_ros, object names")


def check_moveit() -> Finding:
    """Whether `moveit_skills` can start here, with every MoveIt binding that it calls."""
    what = "MoveIt packages"
    missing = _missing(what, "moveit", "moveit_configs_utils", "control_msgs", "vision_msgs")
    if missing:
        return missing
    absent = absent_names(USED)
    if absent:
        mend = "use MoveIt 2 of Jazzy or newer (2.12)"
        return Finding(what, f"moveit_py has no {absent[0]}", mend, False)
    unreadable = _unreadable("config/grasps.yaml", load_grasps)
    return unreadable or Finding(what, "moveit_py, control_msgs, grasps")


def check_speech() -> Finding:
    """Whether `speech` can synthesise and recognise here; sound cards have a row of their own."""
    try:
        return Finding("speech packages", _heard_itself())
    except Exception as error:  # missing packages are what this checks for
        return Finding("speech packages", " ".join(str(error).split())[:200], "make setup", False)


def _heard_itself() -> str:
    """Have the recogniser hear the robot's own voice. Returns one line with both names and times.

    Raises:
        SpeechError: there is no voice or no recogniser, or it does not understand the voice.
    """
    from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
    from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
    from roboinstruct_ros.skill_servers.speech.sound import SpeechError, joined, silence

    voice, began = EspeakVoice(), time.monotonic()
    said = voice.synthesize("stop", threading.Event())
    spoken = time.monotonic()
    recognizer, quiet = Recognizer(("stop",), voice.pronounce), silence(0.3)
    ready = time.monotonic()
    heard = recognizer.hear(joined(quiet, said.at_rate(quiet.rate), quiet))
    if not heard.stop:
        raise SpeechError(f"took 'stop' for '{heard.text}'")
    return (
        f"{voice.name}, {said.seconds:.1f} s of sound in {1000 * (spoken - began):.0f} ms; "
        f"pocketsphinx understands 'stop' in {1000 * (time.monotonic() - ready):.0f} ms"
    )


def absent_names(used: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Names of these modules, classes and members that do not exist."""
    absent = []
    for module, kinds in used.items():
        try:
            there = importlib.import_module(module)
        except ImportError:
            absent.append(module)
            continue
        for kind, members in kinds.items():
            found = getattr(there, kind, None)
            if found is None:
                absent.append(f"{module}.{kind}")
            absent += [f"{kind}.{m}" for m in members.split() if found and not hasattr(found, m)]
    return absent


def _missing(what: str, *modules: str) -> Finding | None:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    mend = f"sudo apt install {' '.join(map(debian, missing))}"
    return Finding(what, f"missing: {', '.join(missing)}", mend, False)


def _unreadable(file: str, load: Callable[[Path], object]) -> Finding | None:
    try:
        load(shared_file(file))
    except (ConfigError, FileNotFoundError) as error:
        return Finding(file, str(error), "mend the file", False)
    return None


_CHECKS = {
    "perception": (check_perception, "perception:=true"),
    "moveit": (check_moveit, "moveit:=true"),
    "speech": (check_speech, "speech:=true"),
}
