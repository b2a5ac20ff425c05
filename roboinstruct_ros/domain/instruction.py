"""What somebody asks of the robot, and the checks that text from outside passes first."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from roboinstruct_ros.domain.task_error import TaskErrorCode

MAX_CHARACTERS = 1000
"""Longest instruction that is read; a longer one is refused, never cut."""

LATIN_SHARE = 0.5
"""Least share of Latin letters; below it the text is in a script the models here do not know."""


class InstructionError(ValueError):
    """An instruction that no program can be written for; `str()` is one clear line.

    Attributes:
        code: INSTRUCTION_EMPTY, INSTRUCTION_TOO_LONG or INSTRUCTION_SCRIPT.
        message: What is wrong and what would be right.
    """

    def __init__(self, code: TaskErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Instruction:
    """A task in plain words.

    Attributes:
        text: The words, on one line, without control characters.
        language: BCP 47 tag.
        asked_by: Who asked; for the record.
        asked_at: When, s since the Unix epoch; 0 when not known.
        found: What earlier rounds of the task have found out, a sentence each.
    """

    text: str
    language: str = "en"
    asked_by: str = ""
    asked_at: float = 0.0
    found: tuple[str, ...] = ()

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


def _words_for_empty(line: str) -> str:
    what = f"the instruction {line[:20]!r} has no words" if line else "the instruction is empty"
    return f"{what}; say what the robot should do, for example 'Go to the kitchen'"


def _script(letter: str) -> str:
    """Script of a letter, as the first word of its Unicode name ("Cyrillic", "Cjk", ...)."""
    # Full-width and mathematical letters fold to plain ones; accented ones stay Latin by name.
    folded = unicodedata.normalize("NFKC", letter)[0]
    return unicodedata.name(folded, "unknown").split(" ")[0].capitalize()
