"""Serves `roboinstruct/verify_program` beside the executor, with its own threads and verifier.

A flood of requests waits or is refused; a run in progress is not affected.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_msgs.srv import VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import check_texts, read_calls
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.conversions import verdict_to_msg
from roboinstruct_ros.nodes.qos import REQUESTS
from roboinstruct_ros.nodes.spun_node import SpunNode
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.service.current_rules import CurrentRules
from roboinstruct_ros.verify.service.from_here import FromHere
from roboinstruct_ros.verify.world.remains import RobotPast

MOST_WAITING = 8
"""Requests that may queue behind the current one; a further one is refused with BUSY."""


class VerifyService:
    """Verifies programs one after another.

    Args:
        node: the executor, whose namespace and context it shares.
        rules: creates the verifier at the first request.
        past: facts left by earlier runs.
    """

    def __init__(
        self, node: Node, rules: Callable[[], CurrentRules], past: RobotPast, domain: Domain
    ) -> None:
        self._make, self._past, self._domain = rules, past, domain
        self._rules: CurrentRules | None = None
        self._places = threading.BoundedSemaphore(1 + MOST_WAITING)
        self._turn = threading.Lock()
        self._spun = SpunNode(names.VERIFY_SERVICE_NODE, node, threads=2 + MOST_WAITING)
        self._spun.node.create_service(
            VerifyProgram,
            names.VERIFY_PROGRAM_SERVICE,
            self._answer,
            qos_profile=REQUESTS,
            callback_group=ReentrantCallbackGroup(),
        )
        self._spun.start()

    def close(self) -> None:
        if self._rules is not None:
            self._rules.close()
        self._spun.close()

    def _answer(
        self, request: VerifyProgram.Request, response: VerifyProgram.Response
    ) -> VerifyProgram.Response:
        if not self._places.acquire(blocking=False):
            message = f"{MOST_WAITING} programs wait to be verified already; ask again soon"
            return _failed(response, TaskErrorCode.BUSY, message)
        try:
            with self._turn:
                return self._verified(request, response)
        except ConfigError as error:
            message = f"the map and the policies cannot be used: {error}"
            return _failed(response, TaskErrorCode.NOT_VERIFIED, message)
        except ValueError as error:
            return _failed(response, TaskErrorCode.UNKNOWN, str(error))
        finally:
            self._places.release()

    def _verified(
        self, request: VerifyProgram.Request, response: VerifyProgram.Response
    ) -> VerifyProgram.Response:
        check_texts(request)
        calls = read_calls(request.calls, self._domain)
        if self._rules is None:
            self._rules = self._make()
        verdict = FromHere(self._rules, self._past).verify_from(calls, request.source)
        response.verdict = verdict_to_msg(verdict)
        response.plan = [str(step) for step in narrate(TaskProgram.from_text(request.source))]
        return response


def _failed(
    response: VerifyProgram.Response, code: TaskErrorCode, message: str
) -> VerifyProgram.Response:
    response.error_code, response.error_msg = int(code), message
    return response
