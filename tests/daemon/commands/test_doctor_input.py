"""What `hilbridge doctor` says of wheels, pedals and gamepads."""

import os
from pathlib import Path

import pytest

from hilbridge.boundary.links import event_device
from hilbridge.commands import doctor_input
from hilbridge.commands.doctor_machine import Finding, State
from hilbridge.files.settings import EvdevInput


def wheel_in(root: Path, keys: str = "0") -> None:
    """A wheel as sysfs has it: three axes."""
    device = root / "event3/device"
    for name, text in (("name", "G29"), ("id/vendor", "046d"), ("id/product", "c24f")):
        (device / name).parent.mkdir(parents=True, exist_ok=True)
        (device / name).write_text(f"{text}\n")
    (device / "capabilities").mkdir()
    (device / "capabilities/abs").write_text("7\n")
    (device / "capabilities/key").write_text(f"{keys}\n")


def test_a_wheel_that_this_user_may_not_read_is_named_with_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel_in(tmp_path)
    monkeypatch.setattr(event_device.devices, "__defaults__", (tmp_path,))
    monkeypatch.setattr(os, "access", lambda *_: False)
    finding = doctor_input.input_devices()
    assert finding.state is State.WARNING
    assert finding.text == "G29 (046d:c24f, /dev/input/event3); not for this user: /dev/input/event3"
    assert "70-hilbridge.rules" in finding.remedy
    monkeypatch.setattr(os, "access", lambda *_: True)
    assert doctor_input.input_devices() == Finding("input devices", State.GOOD, "G29 (046d:c24f, /dev/input/event3)")


def test_a_device_of_the_bench_that_is_missing_is_awaited() -> None:
    settings = EvdevInput.model_validate(
        {"source": "evdev", "device": "no such wheel", "signals": {"Throttle": {"field": "ABS_Z"}}}
    )
    finding = doctor_input.input_device(settings)
    assert finding.state is State.AWAITED
    assert finding.text.startswith("no input device is 'no such wheel'")
    assert finding.remedy
