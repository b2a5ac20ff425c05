"""The kiosk's routes: convert, call the session, convert back. `docs/kiosk.md` lists them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.domain.phrase import BROWSERS
from roboinstruct_ros.domain.robot_name import RobotName
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.execute.run_counters import TEXT_TYPE
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.library.library_file import OFF
from roboinstruct_ros.web.access.access import Access, InControl, Operator, Viewer
from roboinstruct_ros.web.access.control import Control
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.access.routes import offer_access
from roboinstruct_ros.web.access.watch import Watch
from roboinstruct_ros.web.answered_errors import REFUSED, answer_errors
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.documents import offer_documents
from roboinstruct_ros.web.door.guard import Guard, OwnHosts
from roboinstruct_ros.web.door.request_head import API
from roboinstruct_ros.web.engineer.routes import offer_engineer
from roboinstruct_ros.web.engineer.workbench import Workbench
from roboinstruct_ros.web.event_hub import QUEUE_SIZE, EventHub
from roboinstruct_ros.web.events_socket import offer_events
from roboinstruct_ros.web.examples.candidates import Candidates
from roboinstruct_ros.web.examples.examples import Examples
from roboinstruct_ros.web.examples.proven_file import ProvenFile
from roboinstruct_ros.web.kept.beside import KeptBeside
from roboinstruct_ros.web.kept.routes import offer_kept
from roboinstruct_ros.web.kept.runs import KeptRuns, offer_runs
from roboinstruct_ros.web.kept.tasks import KeptTasks
from roboinstruct_ros.web.pages import STATIC, Look, page
from roboinstruct_ros.web.robot_link import Heard, RobotLink
from roboinstruct_ros.web.schedule.routes import offer_schedule
from roboinstruct_ros.web.schedule.scheduler import Scheduler
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.window import Window


class NewTask(ClosedValue):
    """A task in plain words, what is to be changed in one, or the words that one waits for."""

    text: str


class Approval(ClosedValue):
    """The lower-case hex SHA-256 of the UTF-8 program text that the person has seen."""

    sha256: str


class NewPause(ClosedValue):
    """The running task is to hold, or to go on."""

    paused: bool


class NewTalk(ClosedValue):
    """The talk button goes down, or up."""

    down: bool


class Answer(ClosedValue):
    """A live person's answer to the robot's question; `goal_id` as that question had it."""

    question: str
    answer: str
    goal_id: str = ""


def create_app(
    link: RobotLink,
    rooms: Callable[[], SemanticMap] | None,
    map_name: str = "",
    host_names: Iterable[str] = (),
    queue_size: int = QUEUE_SIZE,
    rounds: RoundOptions | None = None,
    metrics: Callable[[], bytes] | None = None,
    library: str = OFF,
    robot: RobotName | None = None,
    runs: str = "",
    access: Access | None = None,
    examples: Sequence[str] = (),
    language: str = BROWSERS,
    clock: Callable[[], float] = time.time,
    zone: tzinfo | None = None,
    steady: Callable[[], float] = time.monotonic,
    bench: Workbench | None = None,
    proven: Path | None = None,
) -> FastAPI:
    """The whole kiosk over a robot link.

    Args:
        rooms: what the page draws, m, frame `map`; None for a robot that has no map.
        map_name: As the page calls it.
        host_names: More names under which browsers may call (see `OwnHosts`).
        queue_size: Messages that may wait for one page.
        rounds: Bounds of tasks that take several programs.
        metrics: What `/metrics` answers, in Prometheus' text format; None offers no such page.
        library: Of the tasks that were written before, as `TaskLibrary.open` takes it.
        robot: Whose approvals in advance and successes they are, as there.
        runs: Folder of the recorded runs; empty is where the recorder puts them by itself.
        access: Who may do what; without it only this machine may come in.
        examples: Tasks for people to try, where the map names none.
        language: Of the pages where nobody has chosen one; `browser` is what that is set to.
        clock: That scheduled tasks go by, s since the Unix epoch.
        zone: Of their times; None is this machine's.
        steady: A clock that nobody sets, s, by which their announcements last.
        bench: What engineers work with; without it they have the shipped policies, and no map.
        proven: File of the examples that hold; None forgets them.
    """
    access = access or Access()
    bench = bench or Workbench(RuleFiles(domain_named(SERVICE_ROBOT)), library)
    session = Session(link, EventHub(queue_size), rounds or RoundOptions())
    kept = KeptTasks(library, robot)
    beside = KeptBeside(session, kept)
    scheduler = Scheduler(session, link, kept, access.may_run, clock, zone, steady)
    candidates = Candidates(rooms, bench.judge.files, examples)
    tried = Examples(session, link, candidates, ProvenFile(proven))

    def hear(heard: Heard) -> None:
        tried.hear(heard)
        scheduler.hear(heard)

    def watch(before: TaskView | None, now: TaskView) -> None:
        tried.watch(now)
        if not scheduler.watch(now):  # which keeps for itself what it did not start
            beside.watch(before, now)

    def more() -> dict[str, Any]:
        return {"schedule": scheduler.as_json(), "examples": tried.shown}

    session.board.watch, session.on_stop = watch, scheduler.stopped
    session.on_heard = hear

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        session.open()
        work = [asyncio.create_task(one.run()) for one in (scheduler, tried)]
        yield
        for one in work:
            one.cancel()
        bench.close()

    app = FastAPI(title="roboinstruct kiosk", openapi_url=None, lifespan=life)
    hosts = OwnHosts(host_names)
    app.state.session, app.state.hosts = session, hosts  # for the front door
    app.state.access = access
    access.control = Control(session.hub)
    app.add_middleware(Watch, access=access, below=API)
    app.add_middleware(Guard, hosts=hosts)
    answer_errors(app)
    api = APIRouter(prefix=API, responses=REFUSED)
    _offer_tasks(api, session)
    offer_kept(api, session, kept, scheduler)
    offer_schedule(api, session, scheduler)
    look = functools.partial(Look.wanted, kiosk_language=language)
    offer_runs(api, KeptRuns(runs), look)
    _offer_robot(api, session, lambda: _map_json(rooms, map_name, tried.shown))
    offer_events(api, session, access, more)
    offer_access(api, access)
    offer_engineer(api, bench, session.record, session.nodes, session.running)
    offer_documents(api)
    app.include_router(api)
    app.mount("/static", GZipMiddleware(StaticFiles(directory=STATIC)), name="static")

    @app.get("/", include_in_schema=False)
    async def kiosk(request: Request) -> Response:
        if not access.lets_in(request):
            return RedirectResponse("/devices", 303)
        return page("index.html", request, look(request))

    @app.get("/devices", include_in_schema=False)
    async def devices(request: Request) -> Response:
        return page("devices.html", request, look(request))

    @app.get("/engineer", include_in_schema=False)
    async def engineer(request: Request) -> Response:
        if not access.lets_in(request, Role.ENGINEER):
            return RedirectResponse("/devices", 303)
        return page("engineer/page.html", request, look(request))

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        # For programmers: what it describes is in English.
        return page("docs.html", request, Look(theme=look(request).theme))

    if metrics is not None:
        _offer_metrics(app, metrics)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    return app


# Every handler is `async` and never waits, so none can hold up a stop; a thread pool could.
def _offer_tasks(api: APIRouter, session: Session) -> None:
    @api.post("/tasks", status_code=202)
    async def submit(task: NewTask, by: InControl, window: Window = "") -> TaskView:
        """Has a program written for a task in plain words; nothing moves."""
        return session.submit(task.text, by.name, window)

    @api.get("/tasks")
    async def tasks(_: Viewer) -> list[TaskView]:
        """All tasks of this session, oldest first."""
        return session.board.all

    @api.get("/tasks/{task_id}")
    async def task(task_id: str, _: Viewer) -> TaskView:
        """One task."""
        return session.board.task(task_id)

    @api.post("/tasks/{task_id}/approve", status_code=202)
    async def approve(task_id: str, approval: Approval, by: InControl) -> TaskView:
        """Runs the program of a task, if it is the very text that was shown."""
        return session.approve(task_id, approval.sha256, by.name)

    @api.post("/tasks/{task_id}/follow", status_code=202)
    async def follow(task_id: str, change: NewTask, by: InControl, window: Window = "") -> TaskView:
        """Has an accepted program changed: a new task, and nothing moves."""
        return session.follow(task_id, change.text, by.name, window)

    @api.post("/tasks/{task_id}/answer", status_code=202)
    async def say(task_id: str, said: NewTask, by: InControl, window: Window = "") -> TaskView:
        """Answers what a task asks."""
        return session.say(task_id, said.text, by.name, window)

    @api.post("/tasks/{task_id}/discard")
    @api.post("/tasks/{task_id}/cancel")
    async def discard(task_id: str, _: InControl) -> TaskView:
        """Puts a program away, or ends its writing or its run."""
        return session.discard(task_id)


def _offer_metrics(app: FastAPI, metrics: Callable[[], bytes]) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def counters(_: Viewer) -> Response:
        return Response(metrics(), headers={"Content-Type": TEXT_TYPE})


def _offer_robot(api: APIRouter, session: Session, map_json: Callable[[], dict[str, Any]]) -> None:
    @api.post("/pause", status_code=202)
    async def pause(pause: NewPause, _: InControl) -> dict[str, bool]:
        """Holds the running task, or lets it go on."""
        session.pause(pause.paused)
        return {"sent": True}

    @api.post("/interrupted/{task_id}/resume", status_code=202)
    async def go_on(task_id: str, by: InControl) -> TaskView:
        """Shows an interrupted run for a new approval; nothing moves."""
        return session.go_on(task_id, by.name)

    @api.post("/interrupted/{task_id}/forget", status_code=202)
    async def forget(task_id: str, _: InControl) -> dict[str, bool]:
        """Counts an interrupted run as ended."""
        session.interruptions.forget(task_id)
        return {"sent": True}

    @api.post("/talk", status_code=202)
    async def talk(talk: NewTalk, _: InControl) -> dict[str, bool]:
        """Has what is said beside the robot written down, while the button is down."""
        session.talk.press(talk.down)
        return {"sent": True}

    @api.post("/answer", status_code=202)
    async def answer(answer: Answer, _: Operator) -> dict[str, bool]:
        """Answers what the robot asks a person."""
        session.robot.answer(answer.question, answer.answer, answer.goal_id)
        return {"sent": True}

    @api.get("/map")
    def rooms(_: Viewer) -> dict[str, Any]:  # on a thread of its own: it reads a file
        """Rooms with aliases, pose and polygon, m and rad; and the examples that hold here."""
        return map_json()

    @api.get("/health")
    async def health(_: Viewer) -> dict[str, Any]:
        """What is there, and how fresh that is."""
        return session.health()


def _map_json(
    map_now: Callable[[], SemanticMap] | None, name: str, examples: Sequence[str]
) -> dict[str, Any]:
    rooms = map_now() if map_now else None
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
            for room in (rooms.rooms if rooms else ())
        ],
        "examples": examples,
    }
