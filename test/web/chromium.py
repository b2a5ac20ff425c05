"""The browser of the tests, which waits for what has to come as long as a busy machine needs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect, sync_playwright

LIMIT = 60_000
"""ms; Playwright's own limit is 5 s."""

_ALONE = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that asks nobody for anything; it ends with the block."""
    expect.set_options(timeout=LIMIT)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_ALONE, timeout=LIMIT)
        yield browser
        browser.close()


def expect_no_wider(page: Page, width: int) -> None:
    """Nothing reaches over the edge of a screen of so many CSS pixels."""
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
