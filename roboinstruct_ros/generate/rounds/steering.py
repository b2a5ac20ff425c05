"""Reads a follow-up against the versions of its task, and decides what of the old program stays.

Cue words come first, then what the follow-up and the task have in common. Only if no cue decides
may a model be asked (`steering_question.py`). Unclear words that are a complete command and share
nothing with the task begin a new one, which changes nothing that anybody relies on. Source: seed
002, II.D and A8.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, Instruction, Reference, joined
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_version import Steering, TaskVersion
from roboinstruct_ros.generate.prompts.appended_program import COME_BACK, appended
from roboinstruct_ros.generate.rounds.follow_up_cues import UNDONE, Cues, is_imperative, read_cues
from roboinstruct_ros.generate.rounds.version_search import find_version
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.words.stems import NUMBERS, content_words
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram

MOST_KEPT = 8  # lines of a prompt that say what stays

_ARTICLE = r"(?:an?|the|one|some|any|every|each|all|my|your|\d+|" + "|".join(NUMBERS) + r")"
_NOT_PLAIN = re.compile(
    r"[.!?:;] |, then\b|\b(?:if|when|whether|unless|until|while|otherwise|every|each|all)\b",
    re.IGNORECASE,
)
_COME_BACK = re.compile(
    r"^(?:(?:come|go|drive|head|get) back|return)(?: (?:here|home|to me|to the start(?:ing point)?"
    r"|to where you (?:were|are|started|began|came from)|again|at the end|in the end|afterwards?"
    r"|after that|when you(?:'re| are) done|then))*[.!]?$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"^(?:(?:(?P<looks>check|look (?:in|into|around)|search|try|inspect|visit)"
    r"|(?:do|repeat) (?:the same|it|that|this) (?:in|for|at)|(?:the same )?in|include) )?"
    r"(?:the |my )?(?P<room>[^,;.!]+?)(?: (?:too|as well|also))?[.!]?$",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"^(?P<count>\d+|{'|'.join(NUMBERS)}) (?P<thing>.+)$", re.IGNORECASE)


@dataclass(frozen=True)
class FollowUp:
    """The reading of a follow-up.

    Attributes:
        said: The words.
        steering: The category.
        current: The version to which it refers.
        version: The version to build upon; of a return, the one to return to; None for none.
        text: What to do; empty for a mere return.
        sure: Whether cue words decided; otherwise a model may be asked.
        question: To the person, if the words cannot be carried out; else empty.
        kind: Of the answer that `question` is.
    """

    said: str
    steering: Steering
    current: TaskVersion
    version: TaskVersion | None
    text: str
    sure: bool
    cues: Cues
    question: str = ""
    kind: AnswerKind = AnswerKind.QUESTION

    @property
    def is_bare_return(self) -> bool:
        """Whether a version is wanted unchanged."""
        return self.steering is Steering.RETURN

    @property
    def comes_back(self) -> str:
        """The program with the way back, if nothing else is wanted and it can be appended."""
        only_back = self.steering is Steering.EXTEND and _COME_BACK.match(self.text)
        whole = appended(self.version.source, COME_BACK) if only_back and self.version else ""
        *before, last = whole.splitlines(keepends=True) or [""]
        return "".join(before) if before and last == before[-1] else whole

    @property
    def keep(self) -> tuple[str, ...]:
        """The parts of the program that stay, a line of English each."""
        return _kept_steps(self)


def read_follow_up(
    text: str,
    versions: Sequence[TaskVersion],
    current: TaskVersion | None = None,
) -> FollowUp:
    """Read how `text` changes a task.

    Args:
        text: The follow-up, on one line.
        versions: All versions of the task in order; at least one.
        current: The version to which it refers; the newest if None.
    """
    current = current or versions[-1]
    cues = read_cues(text)
    if cues.steering is Steering.RETURN:
        return _returning(text, cues, versions, current)
    if cues.steering is Steering.FRESH and not cues.text:
        asked = str(phrase("told.what_else"))
        return FollowUp(text, Steering.FRESH, current, None, "", True, cues, asked)
    if cues.steering is None:
        steering, sure = _by_content(cues.text, current), False
    else:
        steering, sure = cues.steering, True
    version = _base(cues, versions, current) if steering is not Steering.FRESH else None
    return FollowUp(text, steering, current, version, cues.text, sure, cues)


def instructed(
    instruction: Instruction, follow_up: FollowUp, rooms: Collection[str] = ()
) -> Instruction:
    """The follow-up as an instruction, with the program that it changes.

    Args:
        rooms: those of the map; with one of them alone, more of the same is wanted there.
    """
    version, cues = follow_up.version, follow_up.cues
    if version is None:
        return replace(instruction, text=follow_up.text, steering=follow_up.steering)
    if elsewhere := _elsewhere(follow_up, version, rooms):
        follow_up = replace(follow_up, text=elsewhere)
    before = version.words
    # Too long to be read again: the plan says more.
    if len(joined(before, follow_up.text)) > MAX_CHARACTERS:
        before = version.summary
    merged = _merged(follow_up, before)
    reference = Reference(
        instruction=before,
        source=version.source,
        sha256=version.sha256,
        keep=follow_up.keep,
        names=_kept_names(follow_up),
        merged=merged if len(merged) <= MAX_CHARACTERS else "",
        wanted=merged or cues.wanted,
    )
    return replace(
        instruction, text=follow_up.text, steering=follow_up.steering, reference=reference
    )


def read_as(follow_up: FollowUp, steering: Steering) -> FollowUp:
    """The same words, read as that category instead."""
    version = None if steering is Steering.FRESH else follow_up.version or follow_up.current
    return replace(follow_up, steering=steering, version=version, sure=True)


def _returning(
    text: str,
    cues: Cues,
    versions: Sequence[TaskVersion],
    current: TaskVersion,
) -> FollowUp:
    version = find_version(cues.target, versions, current)
    if version is None and cues.target == UNDONE:
        nothing = str(phrase("told.nothing_to_undo"))
        return FollowUp(
            text, Steering.RETURN, current, None, "", True, cues, nothing, AnswerKind.REPLY
        )
    if version is None:
        listed = "; ".join(f"{one.number}: {one.said}" for one in versions[-5:])
        question = str(phrase("told.which_version", target=cues.target, rest=listed))
        return FollowUp(text, Steering.RETURN, current, None, "", True, cues, question)
    if not cues.text:
        return FollowUp(text, Steering.RETURN, current, version, "", True, cues)
    # "... and also check the study": a change of the older version
    change = read_follow_up(cues.text, versions, version)
    if change.steering is Steering.FRESH:
        change = read_as(change, Steering.EXTEND)
    return replace(change, said=text)


def _by_content(text: str, current: TaskVersion) -> Steering:
    """Without a cue word: a complete command is a new goal, a fragment another value."""
    if not is_imperative(text):
        return Steering.TWEAK
    known = content_words(f"{current.words} {' '.join(entities_of(current.source))}")
    return Steering.PIVOT if content_words(text) & known else Steering.FRESH


def _base(cues: Cues, versions: Sequence[TaskVersion], current: TaskVersion) -> TaskVersion:
    """The version to change: the current one, unless only an older one has what is replaced."""
    old = content_words(cues.old)
    if not old:
        return current
    for version in (current, *reversed(versions)):
        if old <= content_words(f"{version.words} {version.source}"):
            return version
    return current


def _elsewhere(follow_up: FollowUp, version: TaskVersion, rooms: Collection[str]) -> str:
    """For "also check the study": the last task before, with that room in the place of its own; ""
    if the follow-up says more than a room, or that task names none or several."""
    found = _ELSEWHERE.match(follow_up.text)
    if follow_up.steering is not Steering.EXTEND or found is None:
        return ""
    before = re.split(r"[.,] then ", version.words, flags=re.IGNORECASE)[-1]
    wanted = found["room"]
    said = [room for room in rooms if re.search(rf"\b{re.escape(room)}\b", before, re.IGNORECASE)]
    if wanted.lower() not in map(str.lower, rooms) or len(said) != 1:
        return ""
    looks = bool(found["looks"])  # says what to do there: more of the same only if that was it
    if looks and "is_in_room(" not in version.source:
        return ""
    again = _replaced(before, said[0], wanted)
    return again[:1].lower() + again[1:] if is_imperative(again) else again


def _merged(follow_up: FollowUp, before: str) -> str:
    """Old and new words as one instruction; empty if that would be a guess."""
    text, cues = follow_up.text, follow_up.cues
    if follow_up.steering is Steering.EXTEND and is_imperative(text):
        # A small model follows "then" best within the sentence, but after a condition it would
        # belong to the condition.
        glue = ". Then" if _NOT_PLAIN.search(before.rstrip(" .")) else ", then"
        return f"{before.rstrip(' .;,')}{glue} {text}"
    if follow_up.steering is Steering.PIVOT and is_imperative(text):
        return text
    if follow_up.steering is Steering.TWEAK:
        return _replaced(before, cues.old, cues.new or text)
    return ""


def _replaced(words: str, old: str, new: str) -> str:
    """`words` with `old` replaced by `new`, or with the new count; "" if neither applies."""
    new = new.strip(" .!")
    counted = _COUNT.match(new)
    if not old and counted:
        old = counted["thing"]
    thing = re.sub(rf"^{_ARTICLE} ", "", old.strip(" .!"), flags=re.IGNORECASE)
    if not thing:
        return ""
    # "box" and "boxes" are the same thing; an article before it belongs to it.
    stem = re.escape(re.sub(r"(?:es|s)$", "", thing) if len(thing) > 3 else thing)
    found = re.compile(rf"\b(?:(?P<article>{_ARTICLE}) )?{stem}(?:es|s)?\b", re.IGNORECASE)
    bare = re.sub(rf"^(?:an?|the) ({_ARTICLE}\b)?", r"\1", new, flags=re.IGNORECASE)

    def put(match: re.Match[str]) -> str:
        article = match["article"] or ""
        keeps = article and not counted and not re.match(rf"{_ARTICLE} ", bare, re.IGNORECASE)
        article = article.lower() if article.lower() not in ("a", "an") else _a_or_an(bare)
        return f"{article} {bare}" if keeps else bare

    replaced, count = found.subn(put, words)
    return replaced if count else ""


def _a_or_an(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _touched(follow_up: FollowUp) -> frozenset[str]:
    return content_words(f"{follow_up.text} {follow_up.cues.old} {follow_up.cues.new}")


def _kept_steps(follow_up: FollowUp) -> tuple[str, ...]:
    """Steps of the plan that the follow-up does not mention, each with its nested steps."""
    if follow_up.version is None or follow_up.steering is Steering.PIVOT:
        return ()
    touched = _touched(follow_up)
    steps: list[str] = []
    for step in narrate(TaskProgram.from_text(follow_up.version.source)):
        if "." not in step.number:
            steps.append(step.text)
        elif steps:  # steps nested in a loop or a condition belong to it
            steps[-1] = (
                f"{steps[-1].rstrip('.')}{' ' if steps[-1].endswith(':') else '; '}{step.text}"
            )
    whole = follow_up.steering is Steering.EXTEND
    kept = [step for step in steps if whole or not touched & content_words(step)]
    return tuple(kept[:MOST_KEPT])


def _kept_names(follow_up: FollowUp) -> tuple[str, ...]:
    """The names that the changed program must still use, if that can be decided."""
    cues, version = follow_up.cues, follow_up.version
    unknown = follow_up.steering is Steering.TWEAK and not cues.old
    if version is None or unknown or follow_up.steering is Steering.PIVOT or cues.removes:
        return ()
    gone = content_words(cues.old)
    return tuple(name for name in entities_of(version.source) if not gone & content_words(name))
