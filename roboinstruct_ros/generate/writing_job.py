"""What writing a program takes beside the instruction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.generate.backends.backend import Backend, StopSignal
from roboinstruct_ros.generate.generation import OnEvent
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class WritingJob:
    """Who writes and who judges, within which bounds, and who is told.

    Attributes:
        backend: A loaded model.
        verify: Judges program text; called once for each different program.
        options: Bounds.
        on_event: Told of everything on the way and, last, of what is returned.
        cancel: Ends the work within 100 ms wherever the model is in it.
        site: What is known of the robot and its place.
        larger: Writes where `backend` is not sure; a server of it may not be reached yet.
    """

    backend: Backend
    verify: Callable[[str], Verdict]
    options: WritingOptions
    on_event: OnEvent
    cancel: StopSignal
    site: Site = UNKNOWN_SITE
    larger: Backend | None = None
