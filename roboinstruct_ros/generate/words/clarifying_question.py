"""Asks a person who named no one room of the map which room is meant, instead of guessing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain

from roboinstruct_ros.domain.answer import Answer, AnswerKind, choice_in
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.semantic_map import no_such_room
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.words.said_names import SaidNames
from roboinstruct_ros.generate.words.stems import unified
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.verify.verdict import Verdict


class MissingRoom:
    """The first room that somebody named and that is not on the map.

    Args:
        nearest: Rooms that a name may mean.

    Attributes:
        answer: A question with the nearest rooms, or the refusal if there are none; None if no such
            room was named, or if the question was answered.
        source, verdict: The program that names the room.
    """

    def __init__(self, instruction: str, nearest: Callable[[str], tuple[str, ...]]) -> None:
        self.answer: Answer | None = None
        self.source = ""
        self.verdict: Verdict | None = None
        self._instruction, self._nearest = instruction, nearest
        self._name = ""

    def look_for(self, source: str, verdict: Verdict) -> None:
        """Look for such a room in a rejected program."""
        name, words = _question_about(self._instruction, source, verdict)
        if self.answer is not None or not name:
            return
        choices = self._nearest(name)
        if not choice_in(self._instruction, choices):
            kind = AnswerKind.QUESTION if choices else AnswerKind.CANNOT
            self.answer = Answer(kind, words, choices)
            self._name, self.source, self.verdict = name, source, verdict

    def is_meant_by(self, source: str) -> bool:
        """Whether a program uses the room by a similarly spelt name."""
        return self._name in SaidNames(" ".join(entities_of(source)))


MOST_CHOICES = 8
"""Rooms of a kind beyond which a question stays as the model wrote it."""
_GOES_ON = (
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|or|but|then|to|if|unless|for|is|has|please|now|when|while|until"
    r"|before|after|so|because|again|first|too|today|tonight|instead)\b)"
)
"""What may follow a room, unlike "the lab coat" or "the bedroom where Alice is"."""
_WHICH = re.compile(r"Which .+ do you mean\?$")
_NO_ROOM = re.compile(r"There is no ([\w' ]+) on my map\.")
_NOT = r"\b(?:not|except|other than|apart from)(?: in| into| to| for)?(?: the| my| our)? "
_SPEAKS = r"\b(?:announce|ask|inform|remind|say|tell|warn|let [\w' ]+ know)\b(?! me\b)[^.;]*"


class UnnamedRoom:
    """A room that somebody named by its kind only ("the bedroom"), of which the map has several.

    Args:
        instruction: The words, with the answer to an earlier question.
        rooms: Names of the rooms of the map.
        aliases: Their other names; who says one of them names a room.

    Attributes:
        question: Which of the rooms is meant; None if there is no such room.
    """

    def __init__(self, instruction: str, rooms: Sequence[str], aliases: Sequence[str] = ()) -> None:
        self.question: Answer | None = None
        said, names = unified(instruction), {unified(name) for name in (*rooms, *aliases)}
        self._kind, self._rooms = next(_said_by_kind(said, rooms, names), ("", ()))
        self._is_spoken = bool(re.search(rf"{_SPEAKS}\b{re.escape(self._kind)}\b", said))
        if self._kind:
            words = str(phrase("told.which_room", kind=self._kind))
            choices = self._rooms if len(self._rooms) <= MOST_CHOICES else ()
            self.question = Answer(AnswerKind.QUESTION, words, choices)

    def is_left_open_by(self, source: str) -> bool:
        """Whether a program needs to know which room it is.

        It does not if the room is only spoken of ("ask her whether she is in the office") and the
        program uses none of them.
        """
        if self.question is None or not self._is_spoken:
            return self.question is not None
        return not {self._kind, *self._rooms}.isdisjoint(entities_of(source))


def _said_by_kind(
    words: str, rooms: Sequence[str], names: Set[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Kinds of room that stand in the words like a name, with their rooms."""
    kinds = {room: tuple(_kinds(unified(room))) for room in rooms}
    for kind in dict.fromkeys(chain.from_iterable(kinds.values())):
        like_a_name = rf"\b(?:the|my|our) {re.escape(kind)}\b{_GOES_ON}"
        if kind in (*names, "room") or not re.search(like_a_name, words):
            continue
        of_kind = tuple(room for room in rooms if kind in kinds[room])
        alike = (name for name in names if kind in _kinds(name))
        if len(of_kind) > 1 and not any(_is_said(name, kind, words) for name in alike):
            yield kind, of_kind


def _is_said(room: str, kind: str, words: str) -> bool:
    """Whether the room is named, or what tells it apart: "main" or "Bob" of "Bob's office"."""
    apart = room.removesuffix(kind).strip().removesuffix("'s")
    return any(re.search(rf"\b{re.escape(one)}\b", words) for one in (room, apart) if one)


def _kinds(room: str) -> Iterator[str]:
    """What a name may have in common with others, the longest first: "office" of "office 2",
    "meeting room" and "room" of "small meeting room"."""
    first, _, last = room.rpartition(" ")
    if first and last.isalpha() and len(last) > 1:
        while room := room.partition(" ")[2]:
            yield room
    elif first:
        yield first


def with_all_rooms(answer: Answer, instruction: str, rooms: Sequence[str]) -> Answer:
    """The answer; a question which room of a kind is meant offers all of them.

    Small models leave rooms of a long map out. Rooms that the instruction names itself ("in Anna's
    room or in Bob's") are all that it means; those that it excepts ("not the lab office") are none.

    Args:
        rooms: Names of the rooms of the map.
    """
    asked = UnnamedRoom(instruction, rooms).question
    if asked and asked.choices and asked.words == answer.words:
        return asked
    if len(answer.choices) < 2 or not set(answer.choices) <= set(rooms):
        return answer
    if all(choice in SaidNames(instruction) for choice in answer.choices):
        return answer
    first, *others = (tuple(_kinds(unified(choice))) for choice in answer.choices)
    kind = next((kind for kind in first if all(kind in other for other in others)), "")
    said = unified(instruction)
    of_kind = tuple(
        room
        for room in rooms
        if kind in _kinds(unified(room))
        and not re.search(rf"{_NOT}{re.escape(unified(room))}\b", said)
    )
    return replace(answer, choices=of_kind) if 1 < len(of_kind) <= MOST_CHOICES else answer


def contradicts_map(answer: Answer, instruction: str, rooms: Sequence[str]) -> bool:
    """Whether an answer asks which room is meant, and the words name it just as the map does, or
    refuses for want of a room that the map has.

    Args:
        rooms: Names of the rooms of the map, and their other names.
    """
    said, words = unified(instruction), unified(answer.words)
    refused = _NO_ROOM.match(answer.words) if answer.kind is AnswerKind.CANNOT else None
    if refused:
        return unified(refused[1]) in map(unified, rooms)
    return answer.kind is AnswerKind.QUESTION and any(
        re.search(rf"\b{re.escape(unified(name))}\b{_GOES_ON}", said)
        and words == unified(str(phrase("told.which_room", kind=name)))
        for name in rooms
    )


def with_known_choices(answer: Answer, names: Collection[str]) -> Answer | None:
    """The answer; a question which of several is meant offers those that the map knows.

    Args:
        names: Of rooms, people and things on the map; none if it does not tell all of these.

    Returns:
        None if fewer than two are left to choose from: such a question cannot be answered.
    """
    if answer.kind is not AnswerKind.QUESTION or not _WHICH.match(answer.words):
        return answer
    known = set(map(unified, names))
    choices = {unified(one): one for one in answer.choices if not known or unified(one) in known}
    return replace(answer, choices=tuple(choices.values())) if len(choices) > 1 else None


def with_nearest_rooms(answer: Answer, nearest: Callable[[str], tuple[str, ...]]) -> Answer:
    """The answer; a refusal for want of a room names those that may be meant, if there are any.

    Args:
        nearest: rooms that a name may mean.
    """
    refused = _NO_ROOM.match(answer.words)
    if refused is None or answer.kind is not AnswerKind.CANNOT:
        return answer
    name, rooms = refused[1], nearest(refused[1])
    return replace(answer, words=sentence(no_such_room(name, rooms))) if rooms else answer


def owned_room(choices: Sequence[str], instruction: str, rooms: Sequence[str]) -> str:
    """The room that the words tell by its owner, where a question offers rooms; "" for none.

    "See if Bob is in his office" tells Bob's office, if nobody else is named who has an office.
    """
    words = unified(instruction)
    owned = re.search(r"\b(?:his|her|their) ([a-z ]+)", words)
    if owned is None or not choices or not set(choices) <= set(rooms):
        return ""
    told = [
        room
        for room in rooms
        for who, of, kind in [unified(room).rpartition("'s ")]
        if of and f"{owned[1]} ".startswith(f"{kind} ")
        if re.search(rf"\b{re.escape(who)}\b", words)
    ]
    return told[0] if len(told) == 1 else ""


def _question_about(instruction: str, source: str, verdict: Verdict) -> tuple[str, str]:
    """The unknown room that somebody named, and the question; empty texts if there is none."""
    tree = TaskProgram.from_text(source).tree
    nodes = ast.walk(tree) if tree else ()
    texts = [
        (node.lineno, node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for violation in verdict.violations:
        if violation.code is not ViolationCode.UNKNOWN_LOCATION:
            continue
        for line, text in texts:
            meant = line == violation.line and f"'{text}'" in violation.message
            if meant and SaidNames(instruction).spells(text):
                return text, violation.message
    return "", ""
