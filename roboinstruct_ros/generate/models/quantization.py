"""Number formats of weights, by llama.cpp's names and numbers (`llama_ftype` in `llama.h`)."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.configuration import InputError, nearest_name


@dataclass(frozen=True)
class Quantization:
    """The number format of a complete file.

    Attributes:
        file_type: The value of `general.file_type` in a GGUF.
        bits: Bits per weight, including block scales. Exact for the matrices in F16, Q8_0, Q6_K and
            Q4_0; for the others the average over a 7B model of the Llama architecture, because
            llama.cpp mixes two or three formats there. A large vocabulary adds up to 7 %.
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
"""The formats on offer, the most precise first."""

_OTHERS = {
    0: "F32", 3: "Q4_1", 8: "Q5_0", 9: "Q5_1", 11: "Q3_K_S", 13: "Q3_K_L", 14: "Q4_K_S",
    16: "Q5_K_S", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS",
    24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS",
    31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0",
}  # fmt: skip
FILE_TYPES = {q.file_type: q.name for q in QUANTIZATIONS} | _OTHERS
"""Names of all formats that a file may declare."""

UNQUANTIZED = ("F32", "F16", "BF16")


class UnknownQuantization(InputError, ValueError):
    """An unknown format name; `str()` is one line that lists the known ones."""


def quantization(name: str) -> Quantization:
    """The number format called `name`; case is ignored.

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
    """The name for a `general.file_type`, e.g. `Q4_K_M`; below 0 the file does not say."""
    if number < 0:
        return "not stated"
    return FILE_TYPES.get(number, f"number {number}")
