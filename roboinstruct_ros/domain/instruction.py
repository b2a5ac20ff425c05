"""Instructions from people, and the checks that text from outside has to pass."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.domain.whole_text import is_unseen

MAX_CHARACTERS = 1000
"""Longest accepted instruction; a longer one is refused, never truncated."""

LATIN_SHARE = 0.5
"""Lowest share of Latin letters; below it the text is in a script that the models do not know."""


IN_BACKGROUND = "nobody: an example that a kiosk tries by itself"
"""`asked_by` of a request that nobody waits for: it is told to nobody and kept nowhere, and gives
way to every other. No device can be called so: its name is shorter."""


class InstructionError(TaskError, ValueError):
    """An instruction for which no program can be written; `str()` is one clear line.

    Attributes:
        code: INSTRUCTION_EMPTY, INSTRUCTION_TOO_LONG or INSTRUCTION_SCRIPT.
        message: What is wrong and what would be right.
    """


@dataclass(frozen=True)
class Reference:
    """The program that a follow-up changes, and the parts of it that have to stay.

    Source: RoboPlayground, II.D.

    Attributes:
        instruction: The complete instruction for which the program was written.
        source: The text of the program.
        sha256: Hash of the text.
        keep: Steps that have to stay, each as a line of English.
        names: Rooms, things and people that the changed program still has to name.
        merged: Old and new words as one instruction, if they can be combined without guessing; else
            empty.
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
    """A task in plain words, or a change to a task.

    Attributes:
        text: The words, on one line, without control characters.
        language: BCP 47 tag.
        asked_by: The person who asked; for the record.
        asked_at: When the person asked, s since the Unix epoch; 0 if unknown.
        steering: How a follow-up was read; None for a new task.
        reference: What a follow-up changes; None for a new task.
        found: What earlier rounds of the task have found out, each as a sentence.
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
        """The complete request as one instruction."""
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

    A line break would end the comment that carries the instruction in a prompt. Invisible format
    characters (direction overrides, zero-width characters) and lone surrogates are removed too. An
    accent is part of its letter, as in the names of a map.
    """
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(c for c in spaced if not is_unseen(c)).strip()


def joined(old: str, new: str) -> str:
    """Join two instructions into a text of two sentences."""
    return f"{old.rstrip(' .;,')}. {new[:1].upper()}{new[1:]}"


def _words_for_empty(line: str) -> str:
    what = f"the instruction {line[:20]!r} has no words" if line else "the instruction is empty"
    return f"{what}; say what the robot should do, for example 'Go to every room and say hello'"


def _script(letter: str) -> str:
    """Script of a letter, as the first word of its Unicode name ("Cyrillic", "Cjk", ...)."""
    # Full-width and mathematical letters fold to plain ones; the name of an accented letter still
    # begins with LATIN.
    folded = unicodedata.normalize("NFKC", letter)[0]
    return unicodedata.name(folded, "unknown").split(" ")[0].capitalize()
