"""The API's two documents: OpenAPI of the requests, AsyncAPI of the WebSockets."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from roboinstruct_ros.web.access.access import Needs
from roboinstruct_ros.web.door.request_head import API, STOP_PATH
from roboinstruct_ros.web.messages import EVENTS, StopPressed, StopSent

VERSION = "1"
ANYBODY = "anybody"

_SENT = {
    "description": "The stop request is published",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StopSent"}}},
}


def offer_documents(api: APIRouter) -> None:
    """Routes for both; nothing in them is of this robot, so everybody may read them."""

    @api.get("/openapi.json", include_in_schema=False)
    async def openapi() -> dict[str, Any]:
        return openapi_of(api)

    @api.get("/asyncapi.json", include_in_schema=False)
    async def asyncapi() -> dict[str, Any]:
        return asyncapi_document()


def openapi_of(api: APIRouter) -> dict[str, Any]:
    """OpenAPI 3.1; `x-role` is the least role that a route takes."""
    document = get_openapi(title="roboinstruct kiosk", version=VERSION, routes=api.routes)
    schemas = document["components"]["schemas"]
    for route in api.routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                document["paths"][route.path_format][method.lower()]["x-role"] = role_of(route)
    # The front door serves it, not the app.
    schemas["StopSent"] = _schemas(StopSent)["StopSent"]
    told = {"summary": "Stop the robot now; no body is read", "operationId": "stop"}
    stop = {**told, "responses": {"202": _SENT}, "x-role": ANYBODY}
    document["paths"][STOP_PATH] = {"post": stop}
    document["servers"] = [{"url": "/"}]
    return document


def role_of(route: APIRoute) -> str:
    """The least role that it takes."""
    needs = (one.call for one in route.dependant.dependencies if isinstance(one.call, Needs))
    return next((one.role.value for one in needs), ANYBODY)


def asyncapi_document() -> dict[str, Any]:
    """AsyncAPI 3.0, made of the messages' models."""
    models: tuple[type[BaseModel], ...] = (*EVENTS, StopPressed, StopSent)
    told = {model.__name__: _message(model) for model in models}
    events = "What happens, from a snapshot on. Nothing is read. It takes a viewer's device."
    stop = "Every message is a Stop, whatever is in it, and is answered. Everybody may."
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "roboinstruct kiosk", "version": VERSION},
        "channels": {
            "events": _channel(f"{API}/events", events, *EVENTS),
            "stop": _channel(STOP_PATH, stop, StopPressed, StopSent),
        },
        "operations": {
            "follow": _operation("send", "events", *EVENTS),
            "pressStop": _operation("receive", "stop", StopPressed),
            "confirmStop": _operation("send", "stop", StopSent),
        },
        "components": {"messages": told, "schemas": _schemas(*models)},
    }


def _message(model: type[BaseModel]) -> dict[str, Any]:
    payload = {"$ref": f"#/components/schemas/{model.__name__}"}
    summary = " ".join((model.__doc__ or "").split())
    return {"name": model.__name__, "summary": summary, "payload": payload}


def _channel(address: str, told: str, *models: type[BaseModel]) -> dict[str, Any]:
    refs = {one.__name__: {"$ref": f"#/components/messages/{one.__name__}"} for one in models}
    return {"address": address, "description": told, "messages": refs}


def _operation(action: str, channel: str, *models: type[BaseModel]) -> dict[str, Any]:
    place = f"#/channels/{channel}"
    messages = [{"$ref": f"{place}/messages/{one.__name__}"} for one in models]
    return {"action": action, "channel": {"$ref": place}, "messages": messages}


def _schemas(*models: type[BaseModel]) -> dict[str, Any]:
    template = "#/components/schemas/{model}"
    _, made = models_json_schema(
        [(model, "serialization") for model in models], ref_template=template
    )
    return dict(made["$defs"])
