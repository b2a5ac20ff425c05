"""`roboinstruct security`: one line for what is wrong, a table for what is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from roboinstruct_ros.cli import app
from roboinstruct_ros.security.roles import BY_NAME


def security(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["security", *map(str, arguments)])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    assert security("init", tmp_path / "keys").exit_code == 0
    return tmp_path / "keys"


def test_what_is_made_is_shown(store: Path) -> None:
    shown = security("show", store)
    assert shown.exit_code == 0
    for name in (*BY_NAME, "identity_ca", "permissions_ca"):
        assert name in shown.output


def test_a_tilde_is_the_home_folder_without_a_shell_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert security("init", "~/keys").exit_code == 0
    assert security("show", "~/keys").exit_code == 0
    made = CliRunner().invoke(app, ["devices", "certificate", "~/tls"])
    assert made.exit_code == 0
    program = "def task_program():\n    pass\n"
    unknown = CliRunner().invoke(app, ["security", "show", "~no_such_user/keys"])
    assert unknown.exit_code == 2 and "~no_such_user/keys" in unknown.stderr
    CliRunner().invoke(app, ["verify", "-", "--tree=~/tree.svg"], input=program)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["keys", "tls", "tree.svg"]


def test_show_as_json(tmp_path: Path) -> None:
    security("init", tmp_path / "keys", "--namespace", "/robot1", "--days", "7")
    told = json.loads(security("show", tmp_path / "keys", "--json").output)
    assert told["namespace"] == "robot1"
    kiosk = next(entry for entry in told["entries"] if entry["name"] == "kiosk")
    assert kiosk["warning"] == "ends in 6 days"
    assert kiosk["of_the_stack"] is True
    assert kiosk["fault"] == ""


def test_what_is_broken_is_told_and_ends_with_one(store: Path) -> None:
    (store / "enclaves" / "kiosk" / "key.pem").write_text("nonsense")
    shown = security("show", store, "--json")
    assert shown.exit_code == 1
    (kiosk,) = [one for one in json.loads(shown.output)["entries"] if one["name"] == "kiosk"]
    assert kiosk["fault"] == "key.pem: this is no unencrypted private key in PEM"
    assert security("rotate", store, "kiosk").exit_code == 0
    assert security("show", store).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("init", "{store}"), "renew it with 'rotate'"),
        (("init", "{store}2", "--namespace", "my robot"), "is no ROS namespace"),
        (("rotate", "{store}", "kisk"), "did you mean 'kiosk'"),
        (("rotate", "{store}", "kiosk", "--all"), "name none of them"),
        (("show", "{store}/public"), "this is no keystore"),
    ],
)
def test_bad_input_is_one_line(store: Path, arguments: tuple[str, ...], told: str) -> None:
    answer = security(*(part.format(store=store) for part in arguments))
    assert answer.exit_code == 2
    assert told in answer.output
    assert len(answer.output.splitlines()) == 1


def test_days_of_an_authority_that_is_not_made_are_refused(store: Path) -> None:
    before = (store / "enclaves" / "kiosk" / "cert.pem").read_bytes()
    ended = security("rotate", store, "--authority-days", 30)
    assert ended.exit_code == 2 and "--authority-days" in ended.stderr and "--all" in ended.stderr
    assert (store / "enclaves" / "kiosk" / "cert.pem").read_bytes() == before
    assert security("rotate", store, "--all", "--authority-days", 30).exit_code == 0


def test_a_number_of_days_that_is_none(store: Path) -> None:
    assert security("rotate", store, "--days", "0").exit_code == 2
