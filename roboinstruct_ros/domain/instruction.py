"""What somebody asks of the robot, and the checks that text from outside passes first."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering

MAX_CHARACTERS = 1000
"""Longest instruction that is read; a longer one is refused, never cut."""

LATIN_SHARE = 0.5
"""Least share of Latin letters; below it the text is in a script the models here do not know."""


IN_BACKGROUND = "nobody: an example that a kiosk tries by itself"
"""`asked_by` of a request that nobody waits for: it is told to nobody and kept nowhere, and gives
way to every other. No device can be called so: its name is shorter."""


class InstructionError(TaskError, ValueError):
    """An instruction that no program can be written for; `str()` is one clear line.

    Attributes:
        code: INSTRUCTION_EMPTY, INSTRUCTION_TOO_LONG or INSTRUCTION_SCRIPT.
        message: What is wrong and what would be right.
    """


@dataclass(frozen=True)
class Reference:
    """The program that a follow-up changes, and what of it has to stay.

    Source: RoboPlayground, II.D.

    Attributes:
        instruction: All that the program was asked for.
        source: Its text.
        sha256: Hash of the text.
        keep: Steps that have to stay, a line of English each.
        names: Rooms, things and people that the changed program has to name still.
        merged: All that is asked now as one instruction, where old and new words can be put
            together without guessing; else empty.
        wanted: Words that the changed program has to answer.
    """

    instruction: str
    source: str
    sha256: str
    keep: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    merged: str = ""
    wanted: str = ""


@dataclass(frozen=True)
class Instruction:
    """A task in plain words, or what has to change in one.

    Attributes:
        text: The words, on one line, without control characters.
        language: BCP 47 tag.
        asked_by: Who asked; for the record.
        asked_at: When, s since the Unix epoch; 0 when not known.
        steering: How a follow-up was read; None for a task of its own.
        reference: What a follow-up changes; None for a new task.
        found: What earlier rounds of the task have found out, a sentence each.
    """

    text: str
    language: str = "en"
    asked_by: str = ""
    asked_at: float = 0.0
    steering: Steering | None = None
    reference: Reference | None = None
    found: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All that is asked, as one instruction."""
        if self.reference is None:
            return self.text
        return self.reference.merged or joined(self.reference.instruction, self.text)

    @classmethod
    def checked(
        cls, text: str, language: str = "en", asked_by: str = "", asked_at: float = 0.0
    ) -> Instruction:
        """The instruction in `text`, cleaned to one line.

        Raises:
            InstructionError: `text` has no words, more than `MAX_CHARACTERS` characters, or
                mostly letters of another script than Latin.
        """
        line = one_line(text)
        letters = [character for character in line if character.isalpha()]
        if not letters:
            raise InstructionError(TaskErrorCode.INSTRUCTION_EMPTY, _words_for_empty(line))
        if len(line) > MAX_CHARACTERS:
            raise InstructionError(
                TaskErrorCode.INSTRUCTION_TOO_LONG,
                f"the instruction is {len(line)} characters long; "
                f"at most {MAX_CHARACTERS} are read, so please say it shorter",
            )
        scripts = Counter(_script(letter) for letter in letters)
        if scripts["Latin"] < LATIN_SHARE * len(letters):
            script = scripts.most_common(1)[0][0]
            raise InstructionError(
                TaskErrorCode.INSTRUCTION_SCRIPT,
                f"the instruction is written in {script} letters, which the model does not know; "
                "please write it in English with Latin letters",
            )
        return cls(line, language, asked_by, asked_at)


def one_line(text: str) -> str:
    """`text` with every run of white space as one blank, without control or format characters.

    A line break would end the comment that carries the instruction in a prompt; invisible format
    characters (direction overrides, zero-width ones) and lone surrogates have no place in it.
    """
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs")).strip()


def joined(old: str, new: str) -> str:
    """Two instructions as two sentences."""
    return f"{old.rstrip(' .;,')}. {new[:1].upper()}{new[1:]}"


def _words_for_empty(line: str) -> str:
    what = f"the instruction {line[:20]!r} has no words" if line else "the instruction is empty"
    return f"{what}; say what the robot should do, for example 'Go to every room and say hello'"


def _script(letter: str) -> str:
    """Script of a letter, as the first word of its Unicode name ("Cyrillic", "Cjk", ...)."""
    # Full-width and mathematical letters fold to plain ones; accented ones stay Latin by name.
    folded = unicodedata.normalize("NFKC", letter)[0]
    return unicodedata.name(folded, "unknown").split(" ")[0].capitalize()
