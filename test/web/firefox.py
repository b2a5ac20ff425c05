"""Firefox for the tests: that of the system, through `firefox_over_bidi.py`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import pytest
from chromium import LIMIT
from playwright.sync_api import Browser, expect, sync_playwright

BETWEEN = Path(__file__).with_name("firefox_over_bidi.py")


@contextmanager
def firefox() -> Iterator[Browser]:
    """A browser that ends with the block; where there is none, the summary of the tests says so."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("the page is not tested in Firefox, which is not installed (apt: firefox-esr)")
    expect.set_options(timeout=LIMIT)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        started = Path(folder) / "firefox"
        words = " ".join(quote(str(one)) for one in (sys.executable, BETWEEN, program))
        started.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        started.chmod(0o700)
        browser = playwright.firefox.launch(
            channel="moz-firefox", executable_path=started, timeout=LIMIT
        )
        yield browser
        browser.close()
