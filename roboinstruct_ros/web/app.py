"""The kiosk's routes: convert, call the session, convert back. `docs/kiosk.md` lists them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocket, WebSocketDisconnect

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_counters import TEXT_TYPE
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.library.library_file import OFF
from roboinstruct_ros.program.wording import named
from roboinstruct_ros.web.event_hub import QUEUE_SIZE, EventHub, Subscription
from roboinstruct_ros.web.guard import HEADERS, MAX_BODY, Guard, OwnHosts
from roboinstruct_ros.web.kept_tasks import KeptTask, KeptTasks, task_of
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.robot_link import RobotLink
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode, error_json

STATIC = Path(__file__).parent / "static"
TOO_SLOW = 4008
"""Close code for a page that did not keep up; it may come back at once."""
CLOSE_LIMIT = 1.0
"""Time that a slow page gets to take its close code, s."""
MAX_NOISE = 100
"""Messages of a page that are overlooked; one that sends more is closed."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NewTask(_Body):
    """A task in plain words, what is to be changed in one, or the words that one waits for."""

    text: str


class Approval(_Body):
    """The lower-case hex SHA-256 of the UTF-8 program text that the person has seen."""

    sha256: str


class NewPause(_Body):
    """The running task is to hold, or to go on."""

    paused: bool


class Answer(_Body):
    """A live person's answer to the robot's question."""

    question: str
    answer: str


def create_app(
    link: RobotLink,
    rooms: Callable[[], SemanticMap],
    map_name: str = "",
    host_names: Iterable[str] = (),
    queue_size: int = QUEUE_SIZE,
    rounds: RoundOptions | None = None,
    metrics: Callable[[], bytes] | None = None,
    library: str = OFF,
) -> FastAPI:
    """The whole kiosk over a robot link.

    Args:
        rooms: what the page draws, m, frame `map`.
        map_name: As the page calls it.
        host_names: More names under which browsers may call (see `OwnHosts`).
        queue_size: Messages that may wait for one page.
        rounds: Bounds of tasks that take several programs.
        metrics: What `/metrics` answers, in Prometheus' text format; None offers no such page.
        library: Of the tasks that were written before, as `TaskLibrary.open` takes it.
    """
    session = Session(link, plan_of, EventHub(queue_size), rounds or RoundOptions())

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        session.open()
        yield

    app = FastAPI(title="roboinstruct kiosk", docs_url=None, redoc_url=None, lifespan=life)
    hosts = OwnHosts(host_names)
    app.state.session, app.state.hosts = session, hosts  # for the front door
    app.add_middleware(Guard, hosts=hosts)
    _answer_errors(app)
    _offer_tasks(app, session)
    _offer_kept(app, session, KeptTasks(library))
    _offer_robot(app, session, lambda: _map_json(rooms(), map_name))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    if metrics is not None:
        _offer_metrics(app, metrics)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    return app


# Every handler is `async` and never waits, so none can hold up a stop; a thread pool could.
def _offer_tasks(app: FastAPI, session: Session) -> None:
    @app.post("/api/tasks", status_code=202)
    async def submit(task: NewTask) -> TaskView:
        return session.submit(task.text)

    @app.get("/api/tasks")
    async def tasks() -> list[TaskView]:
        return session.board.all

    @app.get("/api/tasks/{task_id}")
    async def task(task_id: str) -> TaskView:
        return session.board.task(task_id)

    @app.post("/api/tasks/{task_id}/approve", status_code=202)
    async def approve(task_id: str, approval: Approval) -> TaskView:
        return session.approve(task_id, approval.sha256)

    @app.post("/api/tasks/{task_id}/follow", status_code=202)
    async def follow(task_id: str, change: NewTask) -> TaskView:
        return session.follow(task_id, change.text)

    @app.post("/api/tasks/{task_id}/answer", status_code=202)
    async def say(task_id: str, said: NewTask) -> TaskView:
        return session.say(task_id, said.text)

    @app.post("/api/tasks/{task_id}/discard")
    @app.post("/api/tasks/{task_id}/cancel")
    async def discard(task_id: str) -> TaskView:
        return session.discard(task_id)


def _offer_kept(app: FastAPI, session: Session, kept: KeptTasks) -> None:
    @app.get("/api/library")
    def library(words: str = "") -> list[KeptTask]:  # on a thread of its own: it reads a file
        return kept.some(words)

    @app.post("/api/library/{name:path}/again", status_code=202)
    async def again(name: str) -> TaskView:
        session.board.refuse_while_busy()
        request_id = uuid.uuid4().hex
        version = await asyncio.to_thread(kept.again, name, request_id)
        if version.deferred:  # its program does a part only
            return session.submit(version.words)
        return session.again(task_of(version, request_id, plan_of))


def _offer_metrics(app: FastAPI, metrics: Callable[[], bytes]) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def counters() -> Response:
        return Response(metrics(), headers={"Content-Type": TEXT_TYPE})


def _offer_robot(app: FastAPI, session: Session, map_json: Callable[[], dict[str, Any]]) -> None:
    @app.post("/api/pause", status_code=202)
    async def pause(pause: NewPause) -> dict[str, bool]:
        session.pause(pause.paused)
        return {"sent": True}

    @app.post("/api/interrupted/{task_id}/resume", status_code=202)
    async def go_on(task_id: str) -> TaskView:
        return session.go_on(task_id)

    @app.post("/api/interrupted/{task_id}/forget", status_code=202)
    async def forget(task_id: str) -> dict[str, bool]:
        session.interruptions.forget(task_id)
        return {"sent": True}

    @app.post("/api/answer", status_code=202)
    async def answer(answer: Answer) -> dict[str, bool]:
        session.robot.answer(answer.question, answer.answer)
        return {"sent": True}

    @app.get("/api/map")
    def rooms() -> dict[str, Any]:  # on a thread of its own: it reads a file
        return map_json()

    @app.get("/api/health")
    async def health() -> dict[str, Any]:
        return session.health()

    @app.websocket("/api/events")
    async def events(socket: WebSocket) -> None:
        await socket.accept()
        snapshot = json.dumps(session.snapshot())  # before the subscription: it sends what is due
        with session.hub.subscribed() as subscription:
            work = [
                asyncio.create_task(_send(socket, snapshot, subscription)),
                asyncio.create_task(_receive(socket)),
                asyncio.create_task(subscription.too_slow.wait()),
            ]
            try:
                await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in work:
                    task.cancel()
        if subscription.too_slow.is_set():
            await asyncio.wait(work, timeout=CLOSE_LIMIT)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(socket.close(TOO_SLOW, "too slow"), CLOSE_LIMIT)


async def _send(socket: WebSocket, snapshot: str, subscription: Subscription) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(snapshot)
        while True:
            await socket.send_text(await subscription.next())


async def _receive(socket: WebSocket) -> None:
    """Waits for the end of a page, which has nothing to say here."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        for _ in range(MAX_NOISE):
            await socket.receive_text()
        await socket.close(1008, "nothing is read here")


def _answer_errors(app: FastAPI) -> None:
    async def refused(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, WebError)
        return JSONResponse(error.as_json(), error.status)

    async def malformed(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
        message = f"{place}: {str(first['msg'])[:200]}"
        return JSONResponse(error_json(WebErrorCode.BAD_REQUEST, message), 422)

    async def http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        codes = {
            404: (WebErrorCode.NOT_FOUND, "there is nothing here"),
            413: (WebErrorCode.TOO_LARGE, f"the request is longer than {MAX_BODY} bytes"),
        }
        code, message = codes.get(
            error.status_code, (WebErrorCode.BAD_REQUEST, str(error.detail)[:200])
        )
        return JSONResponse(error_json(code, message), error.status_code)

    async def fault(_: Request, error: Exception) -> JSONResponse:
        message = "the kiosk has failed at this request; its log says why"
        code = TaskErrorCode.UNKNOWN
        return JSONResponse(error_json(code, message), 500, {**HEADERS, "Connection": "close"})

    app.add_exception_handler(WebError, refused)
    app.add_exception_handler(Exception, fault)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, http)


def _map_json(rooms: SemanticMap, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "frame": "map",
        "rooms": [
            {
                "name": room.name,
                "aliases": room.aliases,
                "pose": {"x": room.pose.x, "y": room.pose.y, "yaw": room.pose.yaw},
                "polygon": room.polygon,
            }
            for room in rooms.rooms
        ],
        "examples": rooms.examples or _made_examples(rooms),
    }


def _made_examples(rooms: SemanticMap) -> tuple[str, ...]:
    """Tasks for people to try on a map that names none."""
    first, last = named(rooms.room_names[0]), named(rooms.room_names[-1])
    return (f"Go to {last} and say hello", f"Look whether somebody is in {first} and tell me")
