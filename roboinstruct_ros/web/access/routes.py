"""Routes for devices and control."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, BaseModel, Field

from roboinstruct_ros.web.access.access import COOKIE, Access, Engineer, Operator, Viewer
from roboinstruct_ros.web.access.devices import MAX_NAME, Device, Pin
from roboinstruct_ros.web.access.roles import Role
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.web_error import WebError, WebErrorCode


def _one_line(name: str) -> str:
    shown = " ".join(shown_text(name, MAX_NAME).split())
    if not shown or not shown.isprintable() or shown.lower() == "kiosk":
        raise ValueError("give the device a name of its own, in letters")
    return shown


class NewPin(ClosedValue):
    """What the device that is let in may do."""

    role: Role = Role.OPERATOR


class Pairing(ClosedValue):
    """The PIN that the robot's own screen shows, and how people call this device."""

    pin: Annotated[str, Field(min_length=6, max_length=6, pattern="^[0-9]{6}$")]
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME), AfterValidator(_one_line)]


class Paired(BaseModel):
    """The device as it was let in. A page gets the token as a cookie too; a program sends it as
    `Authorization: Bearer`."""

    device: Device
    token: str


class You(BaseModel):
    """Who asks, as the kiosk sees it."""

    id: str
    name: str
    role: Role


class DeviceList(BaseModel):
    """What may come in, and how a person knows this kiosk from another."""

    devices: list[Device]
    fingerprint: str


class ControlAnswer(ClosedValue):
    """Whether control goes to who has asked for it."""

    give: bool


class ControlState(BaseModel):
    """Which device has control, and which has asked for it."""

    holder: You | None
    asking: You | None


def offer_access(api: APIRouter, access: Access) -> None:
    """Adds them."""
    _offer_devices(api, access)
    _offer_control(api, access)


def _offer_devices(api: APIRouter, access: Access) -> None:
    @api.get("/me")
    async def me(by: Viewer) -> You:
        """Who asks, as the kiosk sees it."""
        return You.model_validate(by.as_json())

    @api.post("/pin", status_code=201)
    async def pin(new: NewPin, _: Engineer) -> Pin:
        """A PIN that lets one more device in; an earlier one is void."""
        return access.devices.new_pin(new.role)

    @api.post("/pair", status_code=201)
    async def pair(pairing: Pairing, request: Request, response: Response) -> Paired:
        """Lets this device in by a PIN."""
        address = access.arrival(request.scope).address
        access.check_pairing(address)
        request.state.told = {"name": pairing.name}
        device, token = access.devices.pair(pairing.pin, pairing.name, address)
        request.state.told |= {"paired": device.id, "as": device.role.value}
        response.set_cookie(
            COOKIE, token, max_age=int(device.expires - device.paired), path="/",
            secure=True, httponly=True, samesite="strict",
        )  # fmt: skip
        return Paired(device=device, token=token)

    @api.get("/devices")
    async def devices(_: Engineer) -> DeviceList:
        """The devices that are let in."""
        return DeviceList(devices=access.devices.all(), fingerprint=access.fingerprint)

    @api.post("/devices/{device_id}/withdraw")
    async def withdraw(device_id: str, by: Viewer) -> Device:
        """Lets a device in no more."""
        if device_id != by.id and not by.role.includes(Role.ENGINEER):
            message = f"the role {by.role.value} may withdraw its own device only"
            raise WebError(WebErrorCode.NOT_ALLOWED, message)
        device = access.devices.withdraw(device_id)
        access.control.withdraw(device_id)
        return device


def _offer_control(api: APIRouter, access: Access) -> None:
    @api.post("/control/ask", status_code=202)
    async def ask(by: Operator) -> ControlState:
        """Asks for control."""
        access.control.ask(by)
        return ControlState.model_validate(access.control.as_json())

    @api.post("/control/answer", status_code=202)
    async def answer(given: ControlAnswer, by: Operator) -> ControlState:
        """Gives control to who has asked for it, or keeps it."""
        access.control.answer(by, given.give)
        return ControlState.model_validate(access.control.as_json())
