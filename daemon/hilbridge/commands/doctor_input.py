"""Probes of the input devices of this machine: wheels, pedals, gamepads, and whether this user may read them."""

import os
from typing import Final

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.event_device import DeviceAbsentError, devices, open_device
from hilbridge.commands.doctor_machine import Finding, State
from hilbridge.files.settings import EvdevInput
from hilbridge.frames.codec.input_events import event_codes

_RULE: Final = (
    "systemd/udev/70-hilbridge.rules in /etc/udev/rules.d lets everybody read joysticks: "
    "`sudo udevadm control --reload; sudo udevadm trigger --subsystem-match=input`"
)


def input_devices() -> Finding:
    """List the devices that could drive, with their numbers; a warning names those that this user may not read."""
    found = [one for one in devices() if one.is_controller]
    text = ", ".join(f"{one.name} ({one.ids}, {one.path})" for one in found) or "none"
    if closed := [str(one.path) for one in found if not os.access(one.path, os.R_OK)]:
        return Finding("input devices", State.WARNING, f"{text}; not for this user: {', '.join(closed)}", _RULE)
    return Finding("input devices", State.GOOD, text)


def input_device(settings: EvdevInput) -> Finding:
    """Probe whether a device is there, may be read, and has the axes and buttons that the bench wants of it."""
    subject = f"input device {settings.device}"
    try:
        device = open_device(settings.device, event_codes(settings))
    except DeviceAbsentError as error:
        if isinstance(error.__cause__, PermissionError):
            return Finding(subject, State.ERROR, str(error), _RULE)
        return Finding(subject, State.AWAITED, str(error), "plug it in; `input devices` lists the names")
    except LinkError as error:
        return Finding(subject, State.ERROR, str(error), "name its own axes and buttons in the signals of this input")
    device.close()
    return Finding(subject, State.GOOD, f"{device.name}, can be read")
