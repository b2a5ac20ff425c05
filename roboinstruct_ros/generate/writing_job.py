"""What the program writer needs besides the instruction."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from roboinstruct_ros.generate.backends.backend import Backend, StopSignal
from roboinstruct_ros.generate.generation import OnEvent
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class WritingJob:
    """The model, the verifier, the bounds and the listeners of one generation.

    Attributes:
        backend: A loaded model.
        verify: Judges program text; called once for each different program.
        options: Bounds.
        on_event: Called with every event, the result last.
        cancel: Ends the work within 100 ms, whatever the model is doing.
        site: What is known of the robot and its place.
        larger: Writes if `backend` is not sure; if it is on a server, it may not have been
            contacted yet.
        begun: When the request arrived, by the monotonic clock; its time limit counts from then.
    """

    backend: Backend
    verify: Callable[[str], Verdict]
    options: WritingOptions
    on_event: OnEvent
    cancel: StopSignal
    site: Site = UNKNOWN_SITE
    larger: Backend | None = None
    begun: float = field(default_factory=time.monotonic)
