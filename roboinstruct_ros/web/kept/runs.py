"""Recorded runs of this robot: what became of each, its replay, and its bag."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse

from roboinstruct_ros.web.access.access import Viewer
from roboinstruct_ros.web.kept.run_page import run_page
from roboinstruct_ros.web.kept.tasks import having
from roboinstruct_ros.web.own_sentences import Explained
from roboinstruct_ros.web.pages import Look
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MOST = 50
"""Runs in one answer; more words find others."""
REPLAY_HEADERS = {
    # Its script stands in it, so it is locked up: it reaches neither the kiosk nor the network.
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:; "
        "sandbox allow-scripts; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


class KeptRun(Explained):
    """A recorded run: times in s since the Unix epoch, `outcome` empty where it was cut off."""

    name: str
    words: str
    begun: float
    duration: float
    outcome: str
    calls: int


class KeptRuns:
    """The bags of a folder; from any thread.

    Args:
        place: Folder; empty is where the recorder puts them unless it is told otherwise.
    """

    def __init__(self, place: str = "") -> None:
        self._place = place

    def some(self, words: str = "") -> list[KeptRun]:
        """Those whose words have all these in them, the last one first."""
        fits = having(words)
        runs = (run for bag in self._bags()[::-1] for run in _read(bag))
        return list(islice((run for run in runs if fits(run.words)), MOST))

    def replay(self, name: str, look: Look) -> str:
        """The run as a page. Raises WebError: NOT_FOUND."""
        from roboinstruct_ros.trace.bag import BagError
        from roboinstruct_ros.trace.document import document_of

        try:
            return run_page(document_of(self._bag(name)), look)
        except BagError as error:
            raise WebError(WebErrorCode.NOT_FOUND, str(error)) from None

    def file(self, name: str) -> Path:
        """The MCAP file. Raises WebError: NOT_FOUND."""
        return next(self._bag(name).glob("*.mcap"))

    def _bag(self, name: str) -> Path:
        for bag in self._bags():
            if bag.name == name:
                return bag
        raise WebError(WebErrorCode.NOT_FOUND, f"no run '{name[:60]}' is kept")

    def _bags(self) -> list[Path]:
        from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError
        from roboinstruct_ros.trace.run_trace import bags_under

        try:
            return bags_under(Path(self._place or DEFAULT_FOLDER).expanduser())
        except BagError:  # nothing was recorded yet
            return []


def _read(bag: Path) -> list[KeptRun]:
    from roboinstruct_ros.trace.bag import BagError
    from roboinstruct_ros.trace.summary import summary

    try:
        run = summary(bag, keep=True)
    except BagError:  # it is being recorded, or cut off: 'trace repair' may save it
        return []
    return [
        KeptRun(
            name=bag.name,
            words=shown_text(run.instruction) or "a program",
            begun=run.begun,
            duration=max(0.0, run.ended - run.begun),
            outcome=run.outcome,
            why=shown_text(run.error_msg),
            calls=run.calls,
        )
    ]


def offer_runs(api: APIRouter, runs: KeptRuns, look: Callable[[Request], Look]) -> None:
    """The routes of what was recorded; each reads files, on a thread of its own."""

    @api.get("/runs")
    def some(_: Viewer, words: str = "") -> list[KeptRun]:
        """Recorded runs, the last one first."""
        return runs.some(words)

    @api.get("/runs/{name}/replay", include_in_schema=False)
    def replay(name: str, request: Request, _: Viewer) -> HTMLResponse:
        return HTMLResponse(runs.replay(name, look(request)), headers=REPLAY_HEADERS)

    @api.get("/runs/{name}/bag", include_in_schema=False)
    def bag(name: str, _: Viewer) -> FileResponse:
        return FileResponse(runs.file(name), filename=f"{name}.mcap")
