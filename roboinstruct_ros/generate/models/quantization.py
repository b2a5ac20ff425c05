"""Number formats of weights, as llama.cpp names and numbers them (`llama_ftype` in `llama.h`)."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.configuration import InputError, nearest_name


@dataclass(frozen=True)
class Quantization:
    """One number format of a whole file.

    Attributes:
        file_type: What stands in a GGUF under `general.file_type`.
        bits: Bits a weight takes, block scales included. Exact for F16, Q8_0, Q6_K and Q4_0 as far
            as the matrices go; for the others the average over a 7B model of the Llama shape,
            because llama.cpp mixes two or three formats there. A large vocabulary makes it up
            to 7 % more.
    """

    name: str
    file_type: int
    bits: float


QUANTIZATIONS = (
    Quantization("F16", 1, 16.0),
    Quantization("Q8_0", 7, 8.5),
    Quantization("Q6_K", 18, 6.5625),
    Quantization("Q5_K_M", 17, 5.67),
    Quantization("Q4_K_M", 15, 4.83),
    Quantization("Q4_0", 2, 4.5),
    Quantization("Q3_K_M", 12, 3.89),
    Quantization("Q2_K", 10, 2.96),
)
"""Those that are offered, the most exact first."""

_OTHERS = {
    0: "F32", 3: "Q4_1", 8: "Q5_0", 9: "Q5_1", 11: "Q3_K_S", 13: "Q3_K_L", 14: "Q4_K_S",
    16: "Q5_K_S", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS",
    24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS",
    31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0",
}  # fmt: skip
FILE_TYPES = {q.file_type: q.name for q in QUANTIZATIONS} | _OTHERS
"""Names of all that a file may say about itself."""

UNQUANTIZED = ("F32", "F16", "BF16")


class UnknownQuantization(InputError, ValueError):
    """A name that is none; `str()` is one line that lists those there are."""


def quantization(name: str) -> Quantization:
    """The number format called `name`, whatever its letter case.

    Raises:
        UnknownQuantization: there is none.
    """
    known = {q.name: q for q in QUANTIZATIONS}
    if name.upper() in known:
        return known[name.upper()]
    near = nearest_name(name, list(known))
    hint = f"did you mean '{near}'? " if near else ""
    listed = ", ".join(known)
    raise UnknownQuantization(f"'{name}' is no quantization; {hint}There are {listed}")


def file_type_name(number: int) -> str:
    """What `general.file_type` means, e.g. `Q4_K_M`; below 0 when the file does not say."""
    if number < 0:
        return "not stated"
    return FILE_TYPES.get(number, f"number {number}")
