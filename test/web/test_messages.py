"""What people read stands in the message files, the same in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

import roboinstruct_ros
from roboinstruct_ros.domain.phrase import (
    LANGUAGES,
    PLACEHOLDER,
    Phrase,
    messages,
    phrase,
    recognised,
    text_of,
)
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.words.alignment import alignment_notes
from roboinstruct_ros.verify.verdict import Assumption, Status
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.app import create_app
from roboinstruct_ros.web.pages import STATIC, Theme
from roboinstruct_ros.web.task_view import Phase
from roboinstruct_ros.web.web_error import WebErrorCode

PACKAGE = Path(roboinstruct_ros.__file__).parent
ENGLISH_ONLY = {"docs.html", "docs.js"}
"""For programmers: they show the English documents of the API."""


def read_by_people(pattern: str) -> list[Path]:
    found = sorted(STATIC.rglob(pattern))
    return [one for one in found if one.name not in ENGLISH_ONLY]


PAGES = read_by_people("*.html")
MODULES = read_by_people("*.js")

UNREAD = re.compile(r"<(style|script|textarea)\b.*?</\1>|<meta[^>]*>", re.DOTALL)
SHOWN = re.compile(r'>([^<>]+)<|(?:aria-label|title|placeholder|alt|content)="([^"]*)"')
SAME_EVERYWHERE = {"roboinstruct", "roboinstruct ·", "PIN", "API", "·", "roboinstruct devices pair",
                   "English", "Deutsch", "Español", "x (m)", "y (m)", "yaw (rad)"}  # fmt: skip
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
WORDS = re.compile(r"\b[A-Z][a-z]{2,}|[a-z]{3,} [a-z]{3,}")
CODE = re.compile(
    r"^and as assert |^get_current_location get_"  # what is coloured in a program
    r"|^[A-Z][\w-]*-[A-Z]\w+$|^(Escape|Enter)$"  # headers and keys
    r"|^(drive done|now (held|wrong))$"  # classes
)
"""What looks like words and is none that anybody reads."""


def forms(language: str, key: str) -> list[str]:
    message = messages(language)[key]
    return [message] if isinstance(message, str) else list(message.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_the_same(language: str) -> None:
    english = messages("en")
    assert list(messages(language)) == list(english)
    for key in english:
        for form, wanted in zip(forms(language, key), forms("en", key), strict=True):
            assert set(PLACEHOLDER.findall(form)) == set(PLACEHOLDER.findall(wanted)), key
        # A number has the forms of "one" and "other" in each of these languages, up to a million.
        assert isinstance(messages(language)[key], str) == isinstance(english[key], str), key
        assert isinstance(english[key], str) or set(messages(language)[key]) == {"one", "other"}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_sentences_are_translated(language: str) -> None:
    words = re.compile(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}")
    sentences = [key for key in messages("en") if words.search(" ".join(forms("en", key)))]
    same = [key for key in sentences if forms(language, key) == forms("en", key)]
    assert same in ([], ["change.hint"]), "a follow-up is written in English"


def used() -> Iterator[tuple[str, str]]:
    for path in (*PAGES, STATIC / "docs.html"):
        keys = re.findall(r"\{\{([a-z][\w.]*)\}\}", path.read_text())
        yield from ((path.name, key) for key in keys)
    for path in MODULES:
        text = path.read_text()
        called = re.findall(r"\b(?:t|known)\(([^()]*(?:\([^()]*\))?[^()]*)", text)
        found = (key for call in called for key in re.findall(r'"([a-z_]+(?:\.[\w]+)+)"', call))
        yield from ((path.name, key) for key in found)
    for path in PACKAGE.rglob("*.py"):
        keys = re.findall(
            r'"((?:plan|name|note|approve|way|assumed|told|found|clause)\.\w+)"', path.read_text()
        )
        yield from ((path.name, key) for key in keys)


def test_every_key_that_is_used_is_there() -> None:
    assert len(dict(used())) > 20
    missing = [(place, key) for place, key in used() if key not in messages("en")]
    assert not missing


def test_everything_that_has_a_code_has_words() -> None:
    errors = [one.name for one in (*TaskErrorCode, *WebErrorCode)
              if one not in (TaskErrorCode.NONE, TaskErrorCode.UNKNOWN)]  # fmt: skip
    keys = [f"error.{name}{end}" for name in errors for end in ("", ".text")]
    keys += [f"violation.{one.value}" for one in ViolationCode]
    keys += [f"phase.{one.value}{end}" for one in Phase for end in ("", ".short")]
    keys += [f"steering.{one.value}" for one in Steering]
    keys += [f"role.{one.value}" for one in Role] + [f"verdict.{one.value}" for one in Status]
    keys += [f"settings.{one.value}" for one in Theme]
    keys += [f"failure.{one.name}" for one in SkillErrorCode if one]
    assert [key for key in keys if key not in messages("en")] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_sentence_stands_in_a_page(path: Path) -> None:
    html = re.sub(
        r"<(style|script|textarea)\b.*?</\1>|<meta[^>]*>", "", path.read_text(), flags=re.DOTALL
    )
    shown = {(text or value).strip() for text, value in SHOWN.findall(html)}
    plain = {re.sub(r"\{\{[\w.]+\}\}", "", one).strip() for one in shown}
    assert {one for one in plain if re.search("[a-z]", one)} <= SAME_EVERYWHERE


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_sentence_stands_in_a_script(path: Path) -> None:
    code = re.sub(r'(?m)(^|\s)//.*$|\bclass: "[^"]*"', "", path.read_text())
    texts = {text or re.sub(r"\$\{[^}]*\}", "", parts) for text, parts in LITERAL.findall(code)}
    assert {one for one in texts if WORDS.search(one) and not CODE.search(one)} == set()


SENTENCES = ("note.", "assumed.", "clause.", "told.", "found.", "notrun.")
"""Prefixes of what comes as English and is recognised."""
RECOGNISED = [key for key in messages("en") if key.startswith(SENTENCES)]
NAMES = st.text("abcdefgh XYZ", min_size=1, max_size=12).map(str.strip).filter(
    lambda name: name and not re.match(r"(a|an|the) ", name)
)  # fmt: skip
CLAUSES = st.sampled_from([phrase("told.nowhere"), phrase("told.blocked", room="den")])


@st.composite
def phrases(draw: st.DrawFn) -> Phrase:
    """Any sentence that comes as English, with any values."""
    key = draw(st.sampled_from(RECOGNISED))
    kinds = {"n": st.integers(0, 10**6), "line": st.integers(1, 999).map(str), "why": CLAUSES}
    names = sorted(set(PLACEHOLDER.findall(" ".join(forms("en", key)))))
    return Phrase(key, {name: draw(kinds.get(name, NAMES)) for name in names})


@given(phrases(), st.booleans())
def test_what_came_as_english_is_recognised(said: Phrase, ends: bool) -> None:
    text = text_of(said)
    begins = text if forms("en", said.key)[0].startswith("{") else text[0].upper() + text[1:]
    told = recognised(begins.removesuffix(".") + "." * ends, said.key.partition(".")[0] + ".")
    assert told is not None and (told.key, told.values) == (said.key, said.values)
    for language in LANGUAGES:
        assert "{" not in text_of(told, language)


def test_what_is_not_said_here_is_not_recognised() -> None:
    assert recognised("Something else is so.", *SENTENCES) is None
    assert recognised("go_to failed: error -7 of the base", *SENTENCES) is None
    assert recognised("line x: the gripper holds nothing", *SENTENCES) is None


def test_what_the_shipped_skills_say_is_recognised() -> None:
    parts = [p for skill in load_domain().skills for p in (*skill.preconditions, *skill.advice)]
    told = [re.sub(r"\{(\w+)\}", r"the \1", part.message) for part in parts]
    assert len(told) > 5
    assert [text for text in told if recognised(text, "told.") is None] == []


def test_what_generator_and_verifier_say_is_recognised() -> None:
    program = 'def task_program():\n    go_to("lab")\n    go_to("lab")\n    pick("cup")\n'
    notes = alignment_notes("Drive to the kitchen.", program)
    assert notes and all(recognised(note, "note.") for note in notes)
    taken = Assumption(literal=("x",), line=1, lines=(1,), clause="a cup is in the kitchen")
    told = recognised(taken.message, "assumed.")
    assert told == phrase("assumed.taken", why=phrase("clause.in", thing="cup", room="kitchen"))
    assert text_of(told, "de") == "Ungeprüft angenommen: „cup“ ist in „kitchen“."


@pytest.mark.parametrize(
    ("wanted", "cookies", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "", "de"),
        ("fr,en;q=0.3,es;q=0.7", "", "es"),
        ("fr", "", "en"),
        ("", "", "en"),
        ("de;q=x,<b>", "", "de"),
        ("de", "language=es", "es"),
        ("de", "language=<script>; theme=loud", "de"),
    ],
)
def test_a_page_is_in_the_language_of_the_person(
    page: TestClient, wanted: str, cookies: str, language: str
) -> None:
    html = page.get("/", headers={"accept-language": wanted, "cookie": cookies}).text
    assert f'<html lang="{language}" data-theme="auto">' in html
    assert messages(language)["ask.title"] in html
    assert "{{" not in html


def test_a_kiosk_may_have_a_language_of_its_own(app: FastAPI) -> None:
    link = app.state.session._link
    bound = create_app(link, None, language="es")
    with TestClient(bound, base_url="http://localhost:8080", client=("127.0.0.1", 1)) as page:
        assert '<html lang="es"' in page.get("/", headers={"accept-language": "de"}).text
        chosen = page.get("/", headers={"accept-language": "de", "cookie": "language=en"}).text
        assert '<html lang="en"' in chosen
