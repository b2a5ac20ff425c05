"""Reads a follow-up by its cue words: "also", "instead of", "go back to the version with ...".

English only, and deliberately without a model: the same words are read the same way each time. What
no cue decides stays open. Source: RoboPlayground, A8 (explicit references, additive language).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.generate.words.stems import NUMBERS

IMPERATIVES = frozenset(
    """
    announce ask bring carry check clean collect come count deliver drive explore fetch find follow
    get give go grab greet guide hand head inspect invite leave let look make meet move navigate
    offer patrol pick place put query remind report return say search see show take tell visit
    wait walk
    """.split()
)
"""First words of a sentence that is a task of its own."""

UNDONE = "previous"
"""The target of a return that names no version: "undo"."""


@dataclass(frozen=True)
class Cues:
    """What the words alone say.

    Attributes:
        steering: None if no cue word decides.
        text: What to do; empty for a mere return to a version.
        target: Of a return: the words that name the version.
        old, new: Of a tweak: `old` is replaced by `new`; `old` is empty if only `new` was said.
        removes: The follow-up removes something.
        wanted: `text` without what it removes.
    """

    steering: Steering | None
    text: str
    target: str = ""
    old: str = ""
    new: str = ""
    removes: bool = False
    wanted: str = ""


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


_POLITE = re.compile(
    r"^(?:(?:please|okay|ok|actually|sorry|hmm|oh|no|yes|thanks|thank you|can you|could you"
    r"|would you|can we|could we|let's|i want you to|i'd like you to|i want to|i'd like to)\b[,.!]*"
    r"|(?:wait|well|great|good)[,.!]+)\s+",
    re.IGNORECASE,
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|original|initial|previous|earlier|last|old|older)"
_VERSION = (
    rf"(?:the |that |your |my )?(?:very )?(?:{_ORDINAL} )?(?:version|program|plan)\b.*"
    r"|(?:the |that |your |my )(?:[\w'-]+ ){1,4}version\b.*"
    rf"|(?:the |that |your )?(?:very )?{_ORDINAL}(?: (?:one|try|task|state)\b.*)?"
    r"|the one (?:with|where|that|which|in which|for|without|before|from)\b.*"
    r"|(?:how|what|the way|as) (?:it|that|we|you|i) (?:was|were|had|did|said)\b.*"
)
_RETURN = (
    re.compile(
        r"^(?:(?:go|come|get|switch|change|turn|roll|take it|take me) back|return|revert) to"
        rf" (?P<t>{_VERSION})$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:undo|revert|roll back|take (?:that|it) back)(?: (?P<t>.*))?$", re.IGNORECASE),
    re.compile(
        rf"^(?:use|take|show me|show|run|restore|load|bring back|give me|i (?:want|liked|prefer))"
        rf" (?P<t>(?:back )?(?:{_VERSION}))$",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?P<t>(?:back to )?(?:{_VERSION}))$", re.IGNORECASE),
    re.compile(
        r"^(?:make it )?(?:like|the way|how|as) it was(?P<t> before| at first| originally)?$",
        re.IGNORECASE,
    ),
)
_PLAIN_VERBS = _pattern(r"^(?:use|take|show|run|load|give me)\b(?! (?:that|it) back$)")
_AND_THEN = re.compile(
    r"(?:,\s*|\s+)(?:and|but|then)\s+(?P<rest>(?:also|then|this time|now|instead|only|without"
    rf"|do not|don't|(?:{'|'.join(sorted(IMPERATIVES))})\b).*)$",
    re.IGNORECASE,
)

_FRESH = re.compile(
    r"^(?:let's )?(?:(?:do|try) something (?:else|different|new)(?: entirely)?|something else"
    r"|something different|something completely different|do something completely different"
    r"|forget (?:about )?(?:that|it|this|everything|all that|the task)"
    r"|(?:here is |here's |now )?(?:a |an )?(?:new|another|different) task|never ?mind(?: that)?"
    r"|start over|start again|from scratch|scrap (?:that|it))\b"
    r"[\s,.:;!-]*(?:and\b|but\b|instead\b|now\b|:)?[\s,:]*(?P<rest>.*)$",
    re.IGNORECASE,
)
_WITH_THE_SAME = _pattern(r"^(?:with|about|using) (?:it|them|that|those|the)\b", r"^in the same\b")
_INSTEAD_FIRST = re.compile(r"^(?:instead|rather)\b,?\s+(?P<rest>.+)$", re.IGNORECASE)

_PLACEHOLDER = r"(?P<{0}>[^,;]+?)"
_OLD, _NEW = _PLACEHOLDER.format("old"), _PLACEHOLDER.format("new")
_TWEAKS = tuple(
    re.compile(rf"^(?:but )?{pattern}[.!]?$", re.IGNORECASE)
    for pattern in (
        rf"(?:instead of|rather than|in place of) {_OLD},? (?P<new>[^,;]+)",
        rf"{_NEW},? (?:instead of|rather than|in place of) (?P<old>[^,;]+)",
        rf"not {_OLD},? but {_NEW}",
        rf"(?:change|switch|turn) {_OLD} (?:to|into) {_NEW}",
        rf"(?:replace|swap|exchange|substitute) {_OLD} (?:with|by|for) {_NEW}",
        rf"{_NEW}(?:,| and| but),? not {_OLD}",
        rf"(?:make|let) (?:it|that|them|this)(?: be)? {_NEW}(?: instead)?",
        rf"(?:use|try|this time|rather|better) {_NEW}(?: instead)?",
        r"take (?P<new>(?:(?!\b(?:to|into|from|and)\b)[^,;])+?)(?: instead)?",
        rf"{_NEW} instead",
        rf"(?:.+ )?only (?P<new>(?:\d+|{'|'.join(NUMBERS)}) [^,;]+)",
    )
)
_LEADING_VERB = re.compile(
    r"^(?:please )?(?:use|take|bring|fetch|get|pick up|pick|go to|check|do it (?:in|with)|look in"
    r"|put (?:it|them) in|bring (?:it|them) to|take (?:it|them) to|ask|tell|say"
    r"|make (?:it|them|that)|do|with|in|to)\s+",
    re.IGNORECASE,
)

_LEADING_MORE = re.compile(
    r"^(?:and )?(?:also|then|afterwards?|after that|additionally|in addition|besides|finally|next"
    r"|plus|and|include|one more thing|at the end|in the end"
    r"|when (?:you are|you're|that is|that's) done"
    r"|once (?:you are|you're|that is|that's) done|add that you|add)\b[,:]?\s+(?:also |then )?"
    r"(?P<rest>.+)$",
    re.IGNORECASE,
)
_TRAILING_MORE = re.compile(
    r"^(?P<rest>.+?),? (?:too|as well|also|additionally|in addition|afterwards?|after that)[.!]?$",
    re.IGNORECASE,
)
_MORE_AS_IT_IS = re.compile(
    r"^(?!.*\b(?:reverse|order)\b)(?P<rest>(?:(?:go|come|drive|walk) back|return"
    r"|(?:do|repeat) (?:the same|it|that|this) (?:in|for|with))\b.+)$",
    re.IGNORECASE,
)
_INNER_MORE = re.compile(r"^(?P<a>.+?) also (?P<b>.+)$", re.IGNORECASE)

_REMOVAL = re.compile(
    r"\b(?:do not|don't|never|without|skip|leave out|no longer|not any ?more|stop \w+ing|remove"
    r"|except(?: for)?|not)\b[^,;.]*",
    re.IGNORECASE,
)
_CONDITION = _pattern(
    r"\bonly\b.*\b(?:if|when|while|after|once)\b", r"\bunless\b",
    r"^(?:but )?(?:if|when|while|until)\b",
    r"\bfirst\b", r"^before\b", r"\bbefore (?:that|you|going|picking|the)\b", r"\bin reverse\b",
    r"\bthe other way\b", r"\b(?:reverse|other) order\b", r"^(?:but )?keep\b", r"^but\b",
)  # fmt: skip


def read_cues(text: str) -> Cues:
    """Read the cue words of a follow-up; `text` is one line."""
    plain = _without_courtesy(text)
    cues = (
        _return(plain)
        or _fresh(plain)
        or _tweak(plain)
        or _leading_more(plain)
        or _modify(plain)
        or _trailing_more(plain)
        or Cues(None, plain)
    )
    return replace(cues, wanted=cues.wanted or _kept_of(cues.text))


def is_imperative(text: str) -> bool:
    """Whether the text is a complete command, judged by its first word."""
    words = _without_courtesy(text).lower().replace(",", " ").split()
    return len(words) > 1 and words[0] in IMPERATIVES


def _without_courtesy(text: str) -> str:
    while (shorter := _POLITE.sub("", text)) not in (text, ""):
        text = shorter
    return re.sub(r",? please[.!]?$", "", text, flags=re.IGNORECASE).strip()


def _return(text: str) -> Cues | None:
    head, rest = text.rstrip(".!"), ""
    if more := _AND_THEN.search(head):
        head, rest = head[: more.start()], more["rest"]
    for pattern in _RETURN:
        found = pattern.match(head)
        if found is None:
            continue
        target = (found["t"] or UNDONE).strip()
        # "the first one, please" is a version; "take the first one" may be a box, "version" never
        # is
        if _PLAIN_VERBS.match(head) and "version" not in target.lower():
            return None
        if re.fullmatch(r"(?:that|it|this|the last (?:change|step))", target, re.IGNORECASE):
            target = UNDONE
        return Cues(Steering.RETURN, rest, target=target)
    return None


def _fresh(text: str) -> Cues | None:
    if found := _FRESH.match(text):
        rest = found["rest"].strip()
        if _WITH_THE_SAME.match(rest):
            return Cues(Steering.PIVOT, text)
        return Cues(Steering.FRESH, rest)
    if (found := _INSTEAD_FIRST.match(text)) and not text.lower().startswith("instead of"):
        rest = found["rest"]
        return Cues(Steering.PIVOT, rest) if is_imperative(rest) else None
    return None


def _tweak(text: str) -> Cues | None:
    for pattern in _TWEAKS:
        found = pattern.match(text)
        if found is None:
            continue
        parts = found.groupdict()
        new = _LEADING_VERB.sub("", parts["new"].strip())
        old = _LEADING_VERB.sub("", (parts.get("old") or "").strip())
        if not old and _LEADING_MORE.match(text):
            return None
        return Cues(Steering.TWEAK, text, old=old, new=new.rstrip("."), wanted=new)
    return None


def _leading_more(text: str) -> Cues | None:
    found = _LEADING_MORE.match(text) or _MORE_AS_IT_IS.match(text)
    return Cues(Steering.EXTEND, found["rest"]) if found else None


def _trailing_more(text: str) -> Cues | None:
    if found := _TRAILING_MORE.match(text):
        return Cues(Steering.EXTEND, found["rest"])
    if found := _INNER_MORE.match(text):
        return Cues(Steering.EXTEND, f"{found['a']} {found['b']}")
    return None


def _modify(text: str) -> Cues | None:
    removes = _REMOVAL.search(text) is not None
    if not removes and not _CONDITION.search(text):
        return None
    return Cues(Steering.MODIFY, text, removes=removes)


def _kept_of(text: str) -> str:
    return " ".join(_REMOVAL.sub("", text).split())
