"""A fault in a YAML file is one line: file, line, field, what is wrong, what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from roboinstruct_ros.domain.configuration import ConfigError, Strict, Unit, load_yaml
from roboinstruct_ros.domain.files.yaml_lines import YamlFault, read_with_lines


class Wheel(Strict):
    radius: Annotated[float, Unit("m")]
    kind: Literal["driven", "free"] = "free"


class Cart(Strict):
    name: str
    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1)]
    limits: dict[str, float] = Field(default_factory=dict)


GOOD = """name: cart
wheels:
  - radius: 0.1
  - {radius: 0.2, kind: driven}
limits:
  speed: 1
"""


def test_what_a_file_says_does_not_steer_the_terminal(tmp_path: Path) -> None:
    fault = fault_of(GOOD.replace("kind: driven", 'kind: "\\e[2J\\u202e\\Lx"'), tmp_path)
    assert str(fault).endswith("expected a value 'driven' or 'free', got '?[2J? x'")


def fault_of(text: str, folder: Path) -> ConfigError:
    path = folder / "cart.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_yaml(path, Cart)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))
    return caught.value


def test_a_good_file_becomes_a_value(tmp_path: Path) -> None:
    path = tmp_path / "cart.yaml"
    path.write_text(GOOD)
    assert load_yaml(path, Cart).wheels[1] == Wheel(radius=0.2, kind="driven")


@pytest.mark.parametrize(
    ("before", "after", "line", "field", "said"),
    [
        ("- radius", "- raduis", 3, "wheels[0].raduis", "did you mean 'radius'?"),
        ("kind", "knd", 4, "wheels[1].knd", "did you mean 'kind'?"),
        ("kind: driven", "colour: red", 4, "wheels[1].colour", "known are radius, kind"),
        ("0.2", "big", 4, "wheels[1].radius", "expected a number (m), got 'big'"),
        ("0.2", ".nan", 4, "wheels[1].radius", "expected a number (m), got nan"),
        ("driven", "drivn", 4, "wheels[1].kind", "did you mean 'driven'?"),
        ("speed: 1", "speed: [1]", 6, "limits.speed", "expected a number, got a list of 1"),
        ("name: cart", "name: no", 1, "name", "expected a text"),
        ("name: cart\n", "", 1, "", "field 'name' is missing"),
        ("wheels:", "wheel:", 2, "wheel", "did you mean 'wheels'?"),
        ("speed: 1", "speed: 1\n  speed: 2", 7, "speed", "given twice; first in line 6"),
        ("{radius: 0.2, kind: driven}", "{radius: 0.2", 5, "", "not valid YAML"),
        ("name: cart", "\tname: cart", 1, "", "not valid YAML"),
    ],
)
def test_a_fault_names_line_and_field(
    before: str, after: str, line: int, field: str, said: str, tmp_path: Path
) -> None:
    assert before in GOOD
    fault = fault_of(GOOD.replace(before, after, 1), tmp_path)
    assert (fault.line, fault.field) == (line, field)
    assert said in str(fault)


@pytest.mark.parametrize("text", ["", "- 1", "cart", "a: &a [*a]", "--- 1\n--- 2", "[" * 3000])
def test_what_is_no_cart_at_all_is_refused(text: str, tmp_path: Path) -> None:
    fault_of(text, tmp_path)


@pytest.mark.parametrize(
    ("scalar", "said"),
    [
        ("2024-13-45", "'2024-13-45' is no timestamp; put it in quotes"),
        ("9" * 5000, "is no int"),
        ("0x" + "f" * 5000, "too many digits"),
        ("!!float x", "'x' is no float"),
        ("!!int x", "'x' is no int"),
        ("!!bool x", "'x' is no bool"),
        ("!!timestamp x", "'x' is no timestamp"),
        ("{? [a]: 1}", "not valid YAML"),
        ('"\\ud800"', "half a character"),
    ],
)
def test_a_value_that_is_not_what_it_looks_like_has_a_line(
    scalar: str, said: str, tmp_path: Path
) -> None:
    fault = fault_of(GOOD + f"extra: {scalar}\n", tmp_path)
    assert fault.line == 7 and said in fault.message
    assert len(str(fault)) < len(str(fault.path)) + 200


def test_a_fault_is_one_line_whatever_stands_in_the_file(tmp_path: Path) -> None:
    fault_of(GOOD.replace("name:", '"a\\nb":'), tmp_path)
    fault_of(GOOD.replace("0.1", '"1\\n2"'), tmp_path)


def test_a_bomb_of_aliases_is_refused(tmp_path: Path) -> None:
    layers = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]" for i in range(1, 12)]
    fault = fault_of("l0: &l0 [x]\n" + "\n".join(layers), tmp_path)
    assert "more than" in fault.message


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "home.yaml").write_text("")
    with pytest.raises(ConfigError, match=r"no such file; did you mean 'home\.yaml'\?"):
        load_yaml(tmp_path / "hmoe.yaml", Cart)
    with pytest.raises(ConfigError, match=r"no such file$"):
        load_yaml(tmp_path / "map.yaml", Cart)


def test_a_folder_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_yaml(tmp_path, Cart)
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ConfigError, match="not a text file"):
        load_yaml(tmp_path / "b.yaml", Cart)


@given(st.sampled_from(["", "!!int ", "!!float ", "!!bool ", "!!timestamp ", "!!binary "]),
       st.text(alphabet="0123456789-:.+_xTZef tru", max_size=30))  # fmt: skip
def test_any_scalar_is_a_value_or_a_fault(tag: str, text: str) -> None:
    try:
        read_with_lines(f"a: {tag}{text}\n")
    except YamlFault as fault:
        assert fault.line in (1, 2)


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@`, \n\t0\x00é", max_size=40))
def test_any_text_is_data_or_a_fault(text: str) -> None:
    try:
        _, lines = read_with_lines(text)
    except YamlFault:
        return
    assert () in lines
