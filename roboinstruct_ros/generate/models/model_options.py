"""The options for loading a model, each declared only here."""

from __future__ import annotations

from dataclasses import dataclass, fields

from roboinstruct_ros.domain.option import option, options_of
from roboinstruct_ros.generate.models.memory_fit import KV_BYTES
from roboinstruct_ros.generate.models.memory_plan import AUTO_LAYERS

FLASH_ATTENTION = ("auto", "on", "off")


@dataclass(frozen=True, kw_only=True)
class LoadingOptions:
    """How a model is loaded; all but the first two apply to a GGUF in this process only."""

    n_ctx: int = option(
        0, "context size in tokens", 0, 1 << 20, lowest="the model's own, of a GGUF at most 4096",
        on_configure=True,
    )  # fmt: skip
    n_threads: int = option(
        0, "CPU threads for a local model",
        0, 256, lowest="one below 200 million weights, else all cores",
        on_configure=True,
    )  # fmt: skip
    n_gpu_layers: int = option(
        AUTO_LAYERS, "layers of a GGUF on the GPU, -1 for all", -2, 1000,
        lowest="as many as fit", on_configure=True,
    )  # fmt: skip
    kv_cache: str = option(
        "f16", "number format of a GGUF's key-value cache", choices=tuple(KV_BYTES),
        on_configure=True,
    )  # fmt: skip
    flash_attn: str = option(
        "auto", "flash attention of llama.cpp", choices=FLASH_ATTENTION, on_configure=True
    )

    @property
    def fault(self) -> str:
        """What is wrong with these options, in one line; "" if nothing is."""
        own = {one.name for one in fields(LoadingOptions)}  # without the fields of subclasses
        for one in options_of(self):
            if one.name in own and one.choices and (fault := one.fault(one.default)):
                return f"{one.name} {fault}"
        if self.flash_attn == "off" and self.kv_cache != "f16":
            return f"a {self.kv_cache} kv_cache needs flash attention; set flash_attn to auto"
        return ""


@dataclass(frozen=True, kw_only=True)
class ModelOptions(LoadingOptions):
    """The options of a model besides its name."""

    lora: str = option(
        "",
        "LoRA adapters of a GGUF, separated by commas, each PATH or PATH:SCALE; empty: those "
        "that come with the model",
        on_configure=True,
    )
    larger_model: str = option(
        "",
        "name, path or address of a larger model that writes when the model is unsure; empty: none",
        on_configure=True,
    )


NO_CHOICE = ModelOptions()
