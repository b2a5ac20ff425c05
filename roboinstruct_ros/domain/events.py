"""The kinds of event on `roboinstruct/events`, and the data that each carries."""

from __future__ import annotations

from enum import Enum


class EventKind(str, Enum):
    """Closed list; the comment next to each kind names the keys of the event's JSON `data`."""

    # generator
    GENERATION_STARTED = "generation_started"  # instruction, asked_by, model, follows, found,
    #                       here (room), holding
    DRAFT_STARTED = "draft_started"  # draft (from 1), attempt (2: repairs a rejected program)
    TOKENS = "tokens"  # draft, text, tokens (in this draft so far)
    DRAFT_VERIFIED = "draft_verified"  # draft, source, verdict
    GENERATION_FINISHED = "generation_finished"  # source, program_sha256, verdict, plan, attempts,
    #                       prompt_tokens, generated_tokens, duration (s), notes, answer, stats,
    #                       steering, words (all of the task), parent_sha256, task (that it is a
    #                       version of, empty when it is not kept), version (from 1), succeeded
    #                       (earlier runs of that version), error_code, error_msg,
    #                       now, deferred, confidence (0 to 1 or null), agreed (drafts, of all)
    # executor
    PROGRAM_VERIFIED = "program_verified"  # program_sha256, verdict, plan
    PROGRAM_APPROVED = "program_approved"  # program_sha256, approved_by
    # source, setting (domain, semantic_map, policies, recovery, ...); again if the rules change
    RUN_SETTING = "run_setting"
    START_FOUND = "start_found"  # room: where the robot is when the program begins
    RUN_STARTED = "run_started"  # instruction, program_sha256, seed, resumed (calls played back)
    # index, skill, arguments, line, clock (readings since the last call, s; if there are any)
    SKILL_STARTED = "skill_started"
    # index, skill, arguments, line, result, error_code, error_msg
    SKILL_FINISHED = "skill_finished"
    RECOVERY_TRIED = "recovery_tried"  # skill, arguments, error, try (from 1), say, wait (s)
    CALL_SETTLED = "call_settled"  # index, skill, arguments: under way at an interruption
    HAZARD_SEEN = "hazard_seen"  # line, code, message, reaction (warn, pause or stop)
    RUN_PAUSED = "run_paused"  # paused
    PROGRAM_PRINTED = "program_printed"  # text, line
    STOP_REQUESTED = "stop_requested"  # source, reason
    # program_sha256, outcome, calls, duration (s), error_code, error_msg, clock
    RUN_FINISHED = "run_finished"
    # command line
    TASK_FINISHED = "task_finished"  # outcome, error_code, error_msg
    EVENTS_LOST = "events_lost"  # count: missing sequence numbers of the source
    # any node
    NODE_LOST = "node_lost"  # node, message
    ERROR = "error"  # error_code, error_msg
    WARNING = "warning"  # message


class EventNumbers:
    """The last sequence number of each node; a gap tells of lost events."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, int]] = {}

    def missed(self, source: str, session: str, seq: int) -> int:
        """Register an event and return how many events of its node were lost just before it.

        Events before the first one received from a node do not count as lost. A restarted node
        counts from 0 again.
        """
        session_before, last = self._last.get(source, (session, seq - 1))
        if session != session_before:
            last = -1
        self._last[source] = (session, max(last, seq))
        return max(0, seq - last - 1)
