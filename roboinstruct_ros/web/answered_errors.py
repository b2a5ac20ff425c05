"""Every fault of a request as typed JSON."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.door.guard import HEADERS, MAX_BODY
from roboinstruct_ros.web.web_error import WebError, WebErrorCode, error_json


class Refusal(BaseModel):
    """Why a request was not done: a code that stays, and one line of English."""

    error_code: int
    error_name: str
    message: str


REFUSED: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Refusal, "description": "Refused; `error_name` says why"},
    "5XX": {"model": Refusal, "description": "It cannot be done now"},
}
"""What every route may answer."""


def answer_errors(app: FastAPI) -> None:
    """Has faults answered so."""

    @app.exception_handler(WebError)
    async def refused(_: Request, error: WebError) -> JSONResponse:
        return JSONResponse(error.as_json(), error.status)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
        message = f"{place[:100]}: {str(first['msg'])[:200]}"
        return JSONResponse(error_json(WebErrorCode.BAD_REQUEST, message), 422)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        codes = {
            404: (WebErrorCode.NOT_FOUND, "there is nothing here"),
            413: (WebErrorCode.TOO_LARGE, f"the request is longer than {MAX_BODY} bytes"),
        }
        code, message = codes.get(
            error.status_code, (WebErrorCode.BAD_REQUEST, str(error.detail)[:200])
        )
        return JSONResponse(error_json(code, message), error.status_code)

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> JSONResponse:
        message = "the kiosk has failed at this request; its log says why"
        code = TaskErrorCode.UNKNOWN
        return JSONResponse(error_json(code, message), 500, {**HEADERS, "Connection": "close"})
