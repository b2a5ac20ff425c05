"""A generation as the messages of its goal."""

from __future__ import annotations

from roboinstruct_msgs.action import GenerateProgram
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.nodes.conversions import verdict_to_msg, violation_to_msg
from roboinstruct_ros.nodes.generator.report import plan_lines
from roboinstruct_ros.verify.verdict import Verdict

_TOLD_AS_THEY_ARE = (
    "source", "attempts", "prompt_tokens", "generated_tokens", "duration", "steering",
    "parent_sha256", "deferred", "error_msg",
)  # fmt: skip


def feedback_msg(
    attempt: int, tokens: int, text: str, verdict: Verdict | None
) -> GenerateProgram.Feedback:
    violations = [violation_to_msg(v) for v in verdict.violations] if verdict else []
    return GenerateProgram.Feedback(
        attempt=attempt, tokens=tokens, text=text, violations=violations
    )


def result_msg(generation: Generation) -> GenerateProgram.Result:
    result = GenerateProgram.Result(
        program_sha256=generation.sha256,
        plan=plan_lines(generation),
        notes=list(generation.notes),
        error_code=int(generation.error_code),
        **{name: getattr(generation, name) for name in _TOLD_AS_THEY_ARE},
    )
    if generation.answer is not None:
        result.answer = generation.answer.kind.value
        result.answer_words = generation.answer.words
        result.choices = list(generation.answer.choices)
    if generation.verdict is not None:
        result.verdict = verdict_to_msg(generation.verdict)
    return result
