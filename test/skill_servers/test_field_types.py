"""No message with a value of another type reaches the C code that would end the process."""

from __future__ import annotations

import pytest

from roboinstruct_msgs.action import GoTo
from roboinstruct_msgs.srv import GetAllRooms
from roboinstruct_ros.skill_servers.kit.goal_runner import check_fields


def test_a_message_of_the_right_types_is_sent() -> None:
    feedback = GoTo.Feedback(distance_remaining=1.0)
    feedback.current_pose.pose.position.x = 2.0
    check_fields(feedback)
    check_fields(GetAllRooms.Response(rooms=["kitchen"]))


def test_an_int_in_a_float_is_found_however_deep_it_stands() -> None:
    with pytest.raises(AssertionError, match="distance_remaining"):
        check_fields(GoTo.Feedback(distance_remaining=1))
    feedback = GoTo.Feedback()
    feedback.current_pose.pose.position.x = 1
    with pytest.raises(AssertionError, match="'x' field must be of type 'float'"):
        check_fields(feedback)
