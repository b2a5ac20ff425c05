"""A chat template is a program of somebody else: it gets little time, memory and text."""

from __future__ import annotations

import time

import pytest

from roboinstruct_ros.generate.backends.chat_template import ChatTemplate, ChatTemplateError
from roboinstruct_ros.generate.backends.template_process import TemplateProcess
from roboinstruct_ros.sandbox.wire import Wire, WireTimeout

ASKED = [{"role": "user", "content": "hello"}]
GOOD = (
    "{{ bos_token }}{% for m in messages %}{% generation %}[{{ m.role }}]{{ m.content }}"
    "{% endgeneration %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"
)


def test_a_template_is_rendered_as_the_model_knows_it() -> None:
    process = TemplateProcess(GOOD, "<s>", "</s>")
    assert process.render(ASKED, True) == "<s>[user]hello[assistant]"
    assert process.render(ASKED, False) == "<s>[user]hello"
    tojson = TemplateProcess("{{ messages | tojson }}{{ strftime_now('%Y') }}", "", "")
    assert tojson.render([{"role": "user", "content": "é"}], True).startswith('[{"role": "user"')


def test_a_process_that_has_ended_is_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(wire: Wire, timeout: float) -> None:
        raise WireTimeout

    process = TemplateProcess(GOOD, "<s>", "</s>")
    with monkeypatch.context() as busy, pytest.raises(ChatTemplateError, match="more than 2 s"):
        busy.setattr(Wire, "receive", late)
        process.render(ASKED, True)
    assert process.render(ASKED, True) == "<s>[user]hello[assistant]"


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{{ 'x' * 10**11 }}",
        "{{ 'x'.center(10**11) }}",
        "{% set n = 10 ** 10 ** 10 %}{{ n }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{{ 'x' * 10**7 }}",
        "{{ '%' + '99999999999d' | format(1) }}",
        "{{ raise_exception('no') }}",
        "{{ messages.__class__.__mro__ }}{{ 1 / 0 }}",
        "{% for",
        "(" * 100_000,
        "{{ " + "(" * 100_000 + "1" + ")" * 100_000 + " }}",
        "{% if 1 %}" * 5_000 + "{% endif %}" * 5_000,
        "{% include '/etc/passwd' %}",
        "x" * 300_000,
        "{{ '\\ud800' }}",
    ],
    ids=lambda text: text[:30],
)
def test_a_bad_template_is_a_typed_fault_and_soon(source: str) -> None:
    begin = time.monotonic()
    with pytest.raises(ChatTemplateError) as told:
        ChatTemplate(TemplateProcess(source, "", "").render)
    assert "\n" not in str(told.value) and len(str(told.value)) <= 1000
    assert time.monotonic() - begin < 20.0
