"""The choices of how a model is taken into memory, each declared here and nowhere else.

The generator's parameters, the arguments of the launch file and the options of the command line
are made of these fields: name, default, description and bounds.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any

from roboinstruct_ros.generate.models.memory_fit import KV_BYTES
from roboinstruct_ros.generate.models.memory_plan import AUTO_LAYERS

FLASH_ATTENTION = ("auto", "on", "off")


def _number(default: int, told: str, low: int, high: int) -> Any:
    return field(default=default, metadata={"told": told, "low": low, "high": high})


def _text(default: str, told: str, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"told": told, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class LoadingOptions:
    """How a model is loaded; all but the first two are for a GGUF in this process."""

    n_ctx: int = _number(0, "tokens of context; 0 is the model's own", 0, 1 << 20)
    n_threads: int = _number(0, "threads; 0 is by the size of the model", 0, 256)
    n_gpu_layers: int = _number(
        AUTO_LAYERS, "layers on the GPU; -1 is all, -2 as many as it has room for", -2, 1000
    )
    kv_cache: str = _text("f16", "number format of keys and values", tuple(KV_BYTES))
    flash_attn: str = _text("auto", "flash attention", FLASH_ATTENTION)

    @property
    def fault(self) -> str:
        """What is wrong with these choices, in one line; "" when nothing is."""
        for one in fields(LoadingOptions):
            value, choices = getattr(self, one.name), one.metadata.get("choices")
            if choices and value not in choices:
                return f"{one.name} '{value}' is not one of {', '.join(choices)}"
        if self.flash_attn == "off" and self.kv_cache != "f16":
            return f"a {self.kv_cache} kv_cache needs flash attention; set flash_attn to auto"
        return ""


@dataclass(frozen=True, kw_only=True)
class ModelOptions(LoadingOptions):
    """What a person chooses of a model beside its name."""

    lora: str = _text(
        "", "adapters by commas, each PATH or PATH:SCALE; empty is those that come with the model"
    )

    def chosen(self) -> dict[str, Any]:
        """The fields of this class by name, also of one that inherits them."""
        return {one.name: getattr(self, one.name) for one in MODEL_OPTIONS}


NO_CHOICE = ModelOptions()
MODEL_OPTIONS: tuple[Field[Any], ...] = fields(ModelOptions)
