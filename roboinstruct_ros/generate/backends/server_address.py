"""Parses the address of a model server."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from roboinstruct_ros.domain.configuration import nearest_name
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError

EXAMPLE = "http://127.0.0.1:8000/v1"
CHOICES = ("model", "prompt_format")


def is_address(model: str) -> bool:
    """Whether `model` is the address of a server rather than the path of a file."""
    return model.lower().startswith(("http://", "https://"))


@dataclass(frozen=True)
class ServerAddress:
    """The address of an OpenAI-compatible server.

    Attributes:
        secure: TLS.
        host: Name or number; an IPv6 address without brackets.
        port: TCP port.
        path: The part before `/models` and `/completions`; nearly always `/v1`.
        model: Name of one of the server's models; "" is its first.
        prompt_format: See `prompt.py`; "" is the one for models of unknown training.
    """

    secure: bool
    host: str
    port: int
    path: str
    model: str = ""
    prompt_format: str = ""

    @classmethod
    def parse(cls, text: str) -> ServerAddress:
        """Parse `http://host:port/v1?model=name&prompt_format=name`.

        Raises:
            BackendError: MODEL_NOT_LOADED, the text is not such an address.
        """
        try:
            parts = urlsplit(text.strip())
            host, port = parts.hostname, parts.port
        except ValueError as error:  # a port beyond 65535, or unclosed brackets
            raise _refused(_public(text), f"{error}; give it like {EXAMPLE}") from None
        if parts.username is not None or parts.password is not None:
            fault = "a key in an address ends up in logs; set ROBOINSTRUCT_API_KEY instead"
            raise _refused(_public(text), fault)
        if not host or not is_address(text.strip()):
            raise _refused(_public(text), f"names no server; give it like {EXAMPLE}")
        secure = parts.scheme == "https"
        # Every OpenAI-compatible server answers below /v1; llama.cpp's own /completions differs.
        path = parts.path.rstrip("/") or "/v1"
        choices = _choices(parts.query, _public(text))
        return cls(secure, host, port or (443 if secure else 80), path, **choices)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.secure else 'http'}://{host}:{self.port}{self.path}"

    @property
    def root(self) -> str:
        """Path of endpoints outside of the OpenAI API, such as `/tokenize`."""
        return self.path.removesuffix("/v1")

    @property
    def on_this_machine(self) -> bool:
        """Whether the server is reached without a network; host names are not resolved."""
        if self.host in ("localhost", socket.gethostname().lower()):
            return True
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        family = socket.AF_INET6 if number.version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind((self.host, 0))  # succeeds only for this machine's own addresses
            except OSError:
                return False
        return True


def _choices(query: str, shown: str) -> dict[str, str]:
    chosen = dict(parse_qsl(query, keep_blank_values=True))
    for key in chosen:
        if key not in CHOICES:
            near = nearest_name(key, CHOICES)
            hint = f"did you mean '{near}'" if near else f"known are {' and '.join(CHOICES)}"
            raise _refused(shown, f"unknown choice '{key}'; {hint}")
    return chosen


def _public(text: str) -> str:
    """The address without a key that it may contain."""
    scheme, _, rest = text.strip().partition("://")
    place = rest.partition("?")[0].partition("#")[0]
    return f"{scheme}://{place.rpartition('@')[2]}"


def _refused(shown: str, fault: str) -> BackendError:
    return BackendError(TaskErrorCode.MODEL_NOT_LOADED, f"{shown}: {fault}")
