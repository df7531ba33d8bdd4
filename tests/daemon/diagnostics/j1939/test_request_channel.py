"""Entries of the Request channel through a source of the inputs."""

from hilbridge.diagnostics.j1939.request_channel import RequestChannel
from hilbridge.inputs.controls import CONTROLS
from hilbridge.inputs.internal import InternalSource
from vehiclesim.channels import REQUEST, RequestData


def test_an_entry_is_set_and_released_by_its_id() -> None:
    controls = [control for control in CONTROLS if control.channel == REQUEST]
    source = InternalSource("J1939", controls, timeout=None)
    channel = RequestChannel(source, controls)
    channel.set(RequestData.ENGINE_TORQUE, 500.0, 0)
    assert (source.values[RequestData.ENGINE_TORQUE], source.fresh.count(True)) == (500_000, 1)
    channel.release(RequestData.ENGINE_TORQUE)
    assert not any(source.fresh)
