"""How people type: a clean sentence with frames, reasons, short forms and slips.

The shares: 45 % clean, 25 % polite or framed, 20 % without capitals and last mark, 10 % sloppy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.scene import Scene

_ORDERS, _OPENERS, _DOUBLED = (
    frozenset(words.FRAMES[name].split()) for name in ("orders", "openers", "doubled")
)
_SHORT: dict[str, str] = words.FRAMES["short"]

_WORD = re.compile(r"\w[\w'-]*(?:\.\w+)*")
_LOOKING = re.compile(r"\b(find|look|search|locate|check|where)\b", re.I)
"""A request of this kind that ends with "for me" means bringing, not only looking."""


def typed(draw: Draw, text: str, keep: Sequence[str] = ()) -> str:
    """The sentence as somebody types it.

    Args:
        draw: the source of randomness; also says who types everything in lower case.
        text: one or more clean sentences with capitals and punctuation.
        keep: words that must not be changed: messages, and names that the program copies. Text in
            double quotes is not changed either.
    """
    text, kept = _set_aside(text.strip(), keep)
    roll = draw.rng.random()
    for below, style in ((0.45, _clean), (0.7, _framed), (0.9, _bare), (1.0, _sloppy)):
        if roll < below:
            text = style(draw, text)
            break
    text = text.lower() if draw.lower else text
    for number, each in enumerate(kept):
        text = text.replace(_mark(number), each)
    return re.sub(r"  +", " ", text).strip()


def copied_words(scene: Scene, text: str, program: str) -> list[str]:
    """Texts without typing errors: a choice in brackets at the end, and words of the program that
    are not on the map."""
    names = " ".join((*scene.rooms, *scene.people, *scene.things, scene.holding))
    known = set(_WORD.findall(names)) if scene.told else set()
    copied = set(_WORD.findall(text)) & set(_WORD.findall(program)) - known
    return [*re.findall(r"\(.*\)$", text), *copied]


def corrected(draw: Draw, wrong: str, right: str) -> str:
    """ "the lab, no wait, the study"."""
    return draw.phrase(words.FRAMES["corrected"], words.FRAMES["held_corrected"], w=wrong, r=right)


def _mark(number: int) -> str:
    """A private-use character, which no style changes."""
    return chr(0xE000 + number)


def _set_aside(text: str, keep: Sequence[str]) -> tuple[str, list[str]]:
    kept: list[str] = []
    quoted = re.findall(r'"[^"]*"', text)
    for each in (*quoted, *sorted({w for w in keep if w}, key=lambda w: (-len(w), w))):
        if each not in text:
            continue
        pattern = rf"(?<!\w){re.escape(each)}(?=(?:e?s)?(?!\w))"  # also in the plural
        if re.search(pattern, text):
            text = re.sub(pattern, _mark(len(kept)), text)
            kept.append(each)
    return text, kept


def _clean(draw: Draw, text: str) -> str:
    text = _filled(draw, text) if draw.chance(0.1) else text
    text = _reasoned(draw, text) if draw.chance(0.06) else text
    return _capital(text)


def _framed(draw: Draw, text: str) -> str:
    frames: tuple[Callable[[Draw, str], str], ...] = (_called, _thanked)
    if _first(text) in _ORDERS:
        frames = (_asked, _asked, _asked, _minded, _called, _thanked)
    text = draw.one(frames)(draw, text)
    text = _reasoned(draw, text) if draw.chance(0.2) else text
    text = text if draw.chance(0.15) else _capital(text)
    return _end(draw, text, ("", "", "!")) if draw.chance(0.25) else text


def _bare(draw: Draw, text: str) -> str:
    text = _filled(draw, text) if draw.chance(0.1) else text
    if draw.chance(0.3):
        text = _terse(draw, text)
    elif draw.chance(0.2):
        text = _framed(draw, text)
    text = text.lower() if draw.chance(0.7) else _small(text)
    return _end(draw, text, ("", "", "", "", "!", " please"))


def _sloppy(draw: Draw, text: str) -> str:
    text = draw.one((_bare, _bare, _terse, _framed))(draw, text)
    for slip in draw.some(_SLIPS, draw.one((1, 2, 2, 3))):
        text = slip(draw, text)
    return (
        _end(draw, text, ("", "", ".", "!!", "...", " thx", " pls")) if draw.chance(0.4) else text
    )


def _called(draw: Draw, text: str) -> str:
    frame: str = draw.template(words.FRAMES["called"], words.FRAMES["held_called"])
    return frame + _small(text)


def _asked(draw: Draw, text: str) -> str:
    frame: str = draw.template(words.FRAMES["asked"], words.FRAMES["held_asked"])
    is_question = (
        re.search(r"(could|can|would|will|is it ok|chance)\b", frame) and "I'd" not in frame
    )
    text = frame + _small(text)
    return text.rstrip(".") + "?" if is_question and _is_one(text) else text


def _minded(draw: Draw, text: str) -> str:
    """ "Would you mind going to the kitchen?"; only for a single order."""
    verb, space, rest = _small(text).partition(" ")
    if not _is_one(text) or re.search(r",| (and|then|if|until|or) ", text) or not verb.isalpha():
        return _asked(draw, text)
    if verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    elif verb in _DOUBLED:
        verb += verb[-1]
    start = draw.one(("would you mind ", "do you mind ", "how about ", "would you mind quickly "))
    return f"{start}{verb}ing{space}{rest}".rstrip(".") + "?"


def _thanked(draw: Draw, text: str) -> str:
    end = "?" if text.endswith("?") else "."
    if _ends_kept(text):
        return _called(draw, text)
    options = words.FRAMES["thanks"]
    if end == "?" or _first(text) not in _ORDERS or _LOOKING.search(text) or " me" in text:
        options = options[:5]  # not "is it there for me?", not "give it to me for me"
    return f"{text.rstrip('.?!')}{draw.one(options)}{end}"


def _reasoned(draw: Draw, text: str) -> str:
    """The text with a reason that does not belong to the task."""
    if draw.chance(0.4) and _is_one(text) and _first(text) in _ORDERS and not _ends_kept(text):
        return f"{text.rstrip('.?!')}{draw.one(words.FRAMES['reasons_after'])}."
    reason = draw.one(words.FRAMES["reasons_before"])
    if draw.chance(0.5) and not text.endswith("?"):
        return f"{reason}{draw.one((', so ', ', ', ' so '))}{_small(text)}"
    return f"{reason}. {text}"


def _filled(draw: Draw, text: str) -> str:
    """The text with other words for one connection."""
    old, new = draw.one(words.FRAMES["fillers"])
    return text.replace(old, new, 1)


def _terse(draw: Draw, text: str) -> str:
    """The text in as few words as possible: "apple to study"."""
    text = _small(text.rstrip("."))
    carried = re.fullmatch(
        r"(?:bring|take|carry|deliver|move) (?:the |an? |some )?([^,]+?) to (?:the )?([^,]+)", text
    )
    if carried and " and " not in text and draw.chance(0.6):
        return f"{carried[1]} {draw.one(('to', 'to', 'into', '->'))} {carried[2]}"
    text = re.sub(r"\b(the|an?) (?=\S)", "", text)
    text = re.sub(r"\bgo to\b", "go", text) if draw.chance(0.4) else text
    text = text.replace(", and ", ", ").replace(" and then ", ", ") if draw.chance(0.5) else text
    return re.sub(r",? (?:and|then) ", draw.one((", ", " ", " then ", " + ")), text, count=1)


def _doubled(draw: Draw, text: str) -> str:
    return _in_a_word(draw, text, lambda word, at: word[: at + 1] + word[at:])


def _swapped(draw: Draw, text: str) -> str:
    return _in_a_word(draw, text, lambda w, at: w[:at] + w[at + 1] + w[at] + w[at + 2 :])


def _missing(draw: Draw, text: str) -> str:
    return _in_a_word(draw, text, lambda word, at: word[:at] + word[at + 1 :])


def _neighboured(draw: Draw, text: str) -> str:
    """The text with one neighbouring key hit by mistake."""

    def hit(word: str, at: int) -> str:
        for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm"):
            if (key := row.find(word[at])) >= 0:
                return word[:at] + row[key - 1 if key else 1] + word[at + 1 :]
        return word

    return _in_a_word(draw, text, hit)


def _shortened(draw: Draw, text: str) -> str:
    there = [long for long in _SHORT if re.search(rf"\b{long}\b", text, re.IGNORECASE)]
    for long in draw.some(there, min(len(there), draw.one((1, 2)))):
        text = re.sub(rf"\b{long}\b", _SHORT[long], text, count=1, flags=re.IGNORECASE)
    return text


def _without_commas(_draw: Draw, text: str) -> str:
    return text.replace(",", "").replace("'", "")


_SLIPS = (_doubled, _swapped, _missing, _neighboured, _shortened, _without_commas)


def _in_a_word(draw: Draw, text: str, change: Callable[[str, int], str]) -> str:
    """The change applied inside one word of five letters or more, not at its ends."""
    long = list(re.finditer(r"\b[a-zA-Z]{5,}\b", text))
    if not long:
        return text
    match = draw.one(long)
    changed = change(match[0], draw.rng.randint(1, len(match[0]) - 3))
    return text[: match.start()] + changed + text[match.end() :]


def _ends_kept(text: str) -> bool:
    return text.rstrip(".?!")[-1:] >= _mark(0)


def _first(text: str) -> str:
    return re.split(r"[\s,]", text.lower(), maxsplit=1)[0]


def _is_one(text: str) -> bool:
    """Whether the text is a single sentence."""
    return not re.search(r"[.?!:;] ", text) and not text.endswith("?")


def _capital(text: str) -> str:
    return re.sub(r"(^|[.?!] )([a-z])", lambda m: m[1] + m[2].upper(), text)


def _small(text: str) -> str:
    """The text without a capital that only starts the sentence."""
    return text[:1].lower() + text[1:] if _first(text) in _ORDERS | _OPENERS else text


def _end(draw: Draw, text: str, marks: Sequence[str]) -> str:
    """The text with other final punctuation; a question mark stays in half of the cases."""
    if text.endswith("?") and draw.chance(0.5):
        return text
    mark = draw.one(marks)
    if _ends_kept(text) and mark.strip(" .!"):  # "say Hello please" would say it
        mark = ""
    return text.rstrip(".?!") + mark
