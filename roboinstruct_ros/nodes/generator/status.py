"""The generator's status for `/diagnostics`."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.node import Node

from roboinstruct_ros.domain.diagnosis import Diagnosis
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.generator_diagnosis import (
    ModelState,
    generator_diagnoses,
)
from roboinstruct_ros.nodes.diagnostics import Diagnostics


class GeneratorStatus:
    """Publishes the status of the generator.

    Args:
        library_fault: why tasks cannot be kept where they should be; empty for nothing.
    """

    def __init__(
        self,
        node: Node,
        generator: Generator,
        model: Callable[[], str],
        library: str,
        library_fault: str,
    ) -> None:
        self._generator = generator
        self._model = model
        self._library, self._library_fault = library, library_fault
        self._speed: float | None = None
        self._diagnostics = Diagnostics(node, self._collect)

    def written(self, generation: Generation) -> None:
        """Note that a request has ended."""
        self._speed = generation.stats.tokens_per_second or self._speed
        self.changed()

    def changed(self) -> None:
        """Note that the model was loaded or freed."""
        self._diagnostics.changed()

    def _collect(self) -> list[Diagnosis]:
        fault = self._generator.fault
        return generator_diagnoses(
            self._model(), self._state(), fault.message if fault else "", self._speed,
            self._library, self._library_fault,
        )  # fmt: skip

    def _state(self) -> ModelState:
        if self._generator.loaded:
            return ModelState.LOADED
        if self._generator.loading:
            return ModelState.LOADING
        return ModelState.FAILED if self._generator.fault else ModelState.NOT_LOADED
