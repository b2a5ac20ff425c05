"""What the shipped perception, arm and speech servers still need to start; starts nothing."""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from roboinstruct_ros.domain.configuration import ConfigError, load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.skill_servers.kit.robot_packages import debian
from roboinstruct_ros.skill_servers.moveit.grasp_config import GraspsEntry
from roboinstruct_ros.skill_servers.moveit.moveit_arm import USED
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names


def how_to_start(part: str) -> str:
    """How to start the shipped server of a part of the robot, and what to do first."""
    wanting = {"perception": _perception, "moveit": _moveit, "speech": _speech}[part]()
    first = f"{wanting}; then " if wanting else ""
    return f"{first}{part}:=true at the launch, or the robot's own server, or --without {part}"


def _perception() -> str:
    to_install = _to_install("vision_msgs", "tf2_ros")
    return to_install or _to_mend("config/object_names.yaml", load_object_names)


def _moveit() -> str:
    to_install = _to_install("moveit", "moveit_configs_utils", "control_msgs", "vision_msgs")
    if not to_install and absent_names(USED):
        return "use MoveIt 2 of Jazzy or newer (2.12)"
    return to_install or _to_mend("config/grasps.yaml", lambda path: load_yaml(path, GraspsEntry))


def _speech() -> str:
    """Has the recogniser hear the robot's own voice; sound cards have a row of their own."""
    try:
        from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
        from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer

        voice = EspeakVoice()
        said = voice.synthesize("stop", threading.Event()).padded(0.3)
        understood = Recognizer(("stop",), voice.pronounce).hear(said).stop
    except Exception:  # missing packages are what this checks for
        understood = False
    return "" if understood else "make setup"


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


def _to_install(*modules: str) -> str:
    missing = [debian(name) for name in modules if importlib.util.find_spec(name) is None]
    return f"sudo apt install {' '.join(missing)}" if missing else ""


def _to_mend(file: str, load: Callable[[Path], object]) -> str:
    try:
        load(shared_file(file))
    except (ConfigError, FileNotFoundError) as fault:
        return f"mend {fault}"
    return ""
