"""The models that are known by name, read from `models/registry.yaml`."""

from __future__ import annotations

from pathlib import Path
from string import ascii_letters, digits
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.models.memory_fit import ModelShape
from roboinstruct_ros.generate.prompts.prompt import FORMATS

_NAME_CHARACTERS = frozenset(ascii_letters + digits + "._-")


def _is_format(name: str) -> str:
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise FieldFault((), f"'{name}' is no prompt format; there are {known}", name, [*FORMATS])
    return name


def _is_sha256(text: str) -> str:
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise FieldFault((), f"a SHA-256 has 64 digits of 0-9 and a-f, this has {len(text)}")
    return text


def check_model_name(name: str) -> str:
    """`name`, if it is valid as the name of a model and of its file.

    Raises:
        FieldFault: it is not.
    """
    if not name or name[0] in ".-" or set(name) - _NAME_CHARACTERS:
        raise FieldFault((), f"'{name}' is no model name; use letters, digits, '.', '_' and '-'")
    return name


FormatName = Annotated[str, AfterValidator(_is_format)]
Sha256 = Annotated[str, AfterValidator(_is_sha256)]
ModelName = Annotated[str, AfterValidator(check_model_name)]


class PackageFile(Strict):
    """A file in a Python package that is installed only for that file.

    Attributes:
        file: Path relative to the folder in which packages are installed.
    """

    name: str = Field(min_length=1)
    version: str = Field(min_length=1)
    file: str = Field(min_length=1)


class AdapterFile(Strict):
    """A LoRA adapter that ships with the stack.

    Attributes:
        sha256: None for one that does not exist yet.
    """

    file: str = Field(min_length=1)
    sha256: Sha256 | None = None


class RegistryEntry(Strict):
    """One model.

    Attributes:
        source: A .gguf file that ships with the stack, or an id on Hugging Face.
        licence: None if unknown.
        context: Tokens that it was trained for.
        package: The Python package with its file, if it comes in one.
        parts: Requirements of the packages with the parts of its file, in order.
        base: Name of the model whose file this one shares, with the adapter added.
        adapter: The adapter added to the file; it then determines the prompt format.
        sha256: Of the GGUF file; None if there is no single file.
        note: Further information, in one line.
    """

    name: ModelName
    source: str = Field(min_length=1)
    package: PackageFile | None = None
    parts: str | None = None
    base: ModelName | None = None
    adapter: AdapterFile | None = None
    licence: str | None = None
    parameters: int = Field(gt=0)
    context: int = Field(gt=0)
    prompt_format: FormatName
    layers: int = Field(gt=0)
    kv_heads: int = Field(gt=0)
    head_dim: int = Field(gt=0)
    sha256: Sha256 | None = None
    note: str = ""

    @property
    def shape(self) -> ModelShape:
        """The properties that determine its memory."""
        return ModelShape(self.parameters, self.context, self.layers, self.kv_heads, self.head_dim)

    @property
    def shipped(self) -> bool:
        """Whether the file ships with the stack."""
        return self.source.endswith(".gguf")


class ModelRegistry(Strict):
    """All models, in the order of the file."""

    models: tuple[RegistryEntry, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> ModelRegistry:
        names = [entry.name for entry in self.models]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise FieldFault(("models", index, "name"), f"'{name}' is given twice")
        for index, entry in enumerate(self.models):
            if entry.base is not None and (entry.base == entry.name or entry.base not in names):
                raise FieldFault(("models", index, "base"), f"'{entry.base}' is no other model")
        return self

    def find(self, name: str) -> RegistryEntry | None:
        """The model called `name`, or None."""
        return next((entry for entry in self.models if entry.name == name), None)

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self.models]


def load_registry(path: Path | None = None) -> ModelRegistry:
    """Read a registry; the shipped one by default.

    Raises:
        ConfigError: the file is missing or is not a registry.
    """
    return load_yaml(path or shared_file("models/registry.yaml"), ModelRegistry)
