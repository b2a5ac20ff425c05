"""`roboinstruct doctor`: what is installed, what is missing, and how to fix it."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.bringup.graph import check_namespace
from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.commands.doctor.robot import RobotExaminations, parts_of, robot_look
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.finding import Finding, examined, show
from roboinstruct_ros.commands.joining import Namespace, Security, bound_to_this_machine, unheard
from roboinstruct_ros.commands.stack_arguments import STACK, Model, World
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.generate.models.gguf_file import size_in_words
from roboinstruct_ros.generate.models.gpu_memory import gpu_memory
from roboinstruct_ros.names import NAV2_SKILLS_NODE
from roboinstruct_ros.nodes.kiosk.parameters import KioskOptions
from roboinstruct_ros.nodes.kiosk.reach import reach_fault
from roboinstruct_ros.security.environment import security_variables

_LISTEN = 2.0  # s to listen for nodes
_LEAST_FREE = 1024**3  # bytes of free disk space
_FOR_LARGER = 3 * 1024**3  # bytes of free GPU memory for the model in _LARGER
_LARGER = (
    "for more tasks right: roboinstruct models get roboinstruct-qwen, "
    "then --model roboinstruct-qwen"
)
_CUDA = (
    'CMAKE_ARGS="-DGGML_CUDA=on" pip install --force-reinstall --no-deps --no-cache-dir '
    "--no-binary llama-cpp-python llama-cpp-python"
)


def doctor(
    port: Annotated[int, like(STACK, "port")] = STACK.port,
    model: Model = "",
    robot: Annotated[bool, typer.Option("--robot", help="Check the robot too.")] = False,
    world: World = STACK.world,
    without: Annotated[
        str, typer.Option(help="Parts that this robot does not have: moveit, perception, speech.")
    ] = "",
    robot_params: Annotated[str, like(STACK, "robot_params")] = "",
    namespace: Namespace = "",
    security: Security = "",
) -> ExitCode:
    """Examine this machine and, with `--robot`, the robot; fails if something must be fixed."""
    check(KioskOptions(port=port))
    check_namespace(namespace)
    if robot:  # query Nav2 as its skill server would
        os.environ.update(security_variables(security, NAV2_SKILLS_NODE))
    else:  # a robot's nodes may run on several machines
        bound_to_this_machine()
    absent = parts_of(without)
    findings = examined(
        (
            _python, _ros, _interfaces,
            _llama_cpp, partial(_model, model), partial(check_gpu, model), _confinement,
            partial(_port, port), _disk, partial(heard_nodes, namespace),
        )
    )  # fmt: skip
    if robot:
        rooms = load_semantic_map(find_world(world))
        with robot_look(namespace, robot_params) as look:
            findings += examined(RobotExaminations(rooms, absent, look).all())
    show(findings)
    return ExitCode.SUCCESS if all(one.good for one in findings) else ExitCode.FAILED


def _python() -> Finding:
    version = platform.python_version()
    good = (3, 10) <= sys.version_info[:2] <= (3, 12)
    return Finding("Python", version, "" if good else "use CPython 3.10 to 3.12", good)


def _ros() -> Finding:
    from roboinstruct_ros.nodes.dds.transport import reach
    from roboinstruct_ros.nodes.discovery import middleware

    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    return Finding(
        "ROS 2", f"rclpy with {middleware()}, domain {domain}, discovery {reach(os.environ)}"
    )


def _interfaces() -> Finding:
    from roboinstruct_msgs.action import ExecuteProgram

    fields = ExecuteProgram.Goal.get_fields_and_field_types()
    good = "program_sha256" in fields
    mend = "" if good else "build roboinstruct_msgs of this version (make setup, or colcon build)"
    return Finding("roboinstruct_msgs", "built" if good else "another version", mend, good)


def _llama_cpp() -> Finding:
    try:
        import llama_cpp
    except ImportError as error:
        return Finding("llama-cpp-python", f"missing: {error}", "make setup", good=False)
    return Finding("llama-cpp-python", llama_cpp.__version__)


def _model(model: str) -> Finding:
    from roboinstruct_ros.generate.backends.backend import BackendError
    from roboinstruct_ros.generate.backends.open_backend import check_model, missing_best
    from roboinstruct_ros.generate.backends.transformers_backend import REQUIREMENTS

    try:
        return Finding("model", check_model(model), missing_best(model))
    except (BackendError, OSError) as error:
        mend = "give another with --model, or fetch the repository anew"
        if REQUIREMENTS in str(error):
            mend = REQUIREMENTS
        return Finding("model", str(error), mend, good=False)


def check_gpu(model: str) -> Finding:
    """The GPU and whether llama.cpp uses it; `mend` names the model for a robot with a GPU."""
    import llama_cpp

    from roboinstruct_ros.generate.backends.open_backend import MODEL_VARIABLE

    card, used = gpu_memory(), llama_cpp.llama_supports_gpu_offload()
    if card is None:
        built = "llama.cpp built with GPU support" if used else "the shipped model needs none"
        return Finding("GPU", f"none; {built}")
    found = f"{size_in_words(card.free)} free of {size_in_words(card.total)}"
    if not used:
        return Finding("GPU", f"{found}, but llama.cpp is CPU only", _CUDA)
    chosen = model or os.environ.get(MODEL_VARIABLE)
    return Finding("GPU", found, "" if chosen or card.free < _FOR_LARGER else _LARGER)


def _confinement() -> Finding:
    from roboinstruct_ros.sandbox.confinement import LAYERS, Limits
    from roboinstruct_ros.sandbox.program_process import ProgramProcess

    process = ProgramProcess("def task_program():\n    pass\n", (), Limits())
    layers = process.layers
    process.kill()
    missing = [layer for layer in LAYERS if layer not in layers]
    if not missing:
        return Finding("confinement", ", ".join(layers))
    mend = "install landlock and pyseccomp; a kernel from 5.13 on"
    return Finding("confinement", f"missing: {', '.join(missing)}", mend, good=False)


def _port(port: int) -> Finding:
    if not reach_fault(KioskOptions(port=port)):
        return Finding("kiosk port", f"{port} is free")
    with socket.socket() as probe:
        probe.settimeout(0.5)
        open_ = probe.connect_ex(("127.0.0.1", port)) == 0
    found = f"{port} is taken" + (" and answers" if open_ else "")
    return Finding("kiosk port", found, "another with --port, or this is the running stack")


def _disk() -> Finding:
    free = shutil.disk_usage(Path.home()).free
    good = free > _LEAST_FREE
    mend = "" if good else "free some for the bags in ~/.ros/roboinstruct/runs"
    return Finding("disk", f"{free / 1e9:.0f} GB free", mend, good)


def heard_nodes(namespace: str) -> Finding:
    """The nodes of the stack in this namespace."""
    from roboinstruct_ros.nodes.task_client import TaskClient

    with TaskClient(unheard, threading.Event(), namespace) as client:
        time.sleep(_LISTEN)
        heard = sorted(client.monitor.seen())
    return Finding("nodes heard", ", ".join(heard) or "none; 'roboinstruct up' starts them")
