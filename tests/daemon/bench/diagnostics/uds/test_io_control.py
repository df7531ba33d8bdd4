"""Service 2F: overrides of entries, their values, and when they end."""

import pytest
from udsoncan import DidCodec

from vehiclesim.channels import INPUT, NAN, InputData, RequestData

from .tester import Tester, answers


class HalfPercent(DidCodec):
    """The throttle, 0.5 % a bit."""

    def encode(self, *values: float) -> bytes:
        return bytes((round(values[0] * 2),))

    def decode(self, string_bin: bytes) -> float:
        return string_bin[0] / 2

    def __len__(self) -> int:
        return 1


def returned(tester: Tester, request: str) -> str:
    """The answer to a return of control, in the next tick."""
    assert tester.ask(request) == ""
    ((_, answer),) = tester.wait(1)
    return answer


def test_udsoncan_controls_an_entry() -> None:
    """Adjust, freeze, reset, return: each answer contains the value."""
    tester = Tester().extended()
    tester.bus.write(INPUT, InputData.THROTTLE, 0.2003)
    client = tester.client(input_output={0x0110: HalfPercent})
    adjusted = answers(client.io_control, 0x0110, 3, values=[75.0])
    assert (adjusted.control_param_echo, adjusted.decoded_data) == (3, 75.0)
    assert tester.holds.held == {"input.Throttle": 0.75}
    assert answers(client.io_control, 0x0110, 2).decoded_data == 20.0
    assert tester.holds.held == {"input.Throttle": 0.2003}
    assert answers(client.io_control, 0x0110, 1).decoded_data == 0.0
    assert tester.holds.held == {"input.Throttle": 0.0}
    assert answers(client.io_control, 0x0110, 0).decoded_data == 20.0
    assert tester.holds.held == {}


def test_values_below_zero_are_in_the_unit_of_the_identifier() -> None:
    """-5.0 % of slope are FFCE in tenths."""
    tester = Tester().unlocked()
    assert tester.ask("2F 01 11 03 FF CE") == "6F 01 11 03 FF CE"
    assert tester.holds.held == {"road.Slope": pytest.approx(-0.05)}


def test_to_return_what_is_not_held_is_no_mistake() -> None:
    """Nor what another command has released."""
    tester = Tester().extended()
    assert returned(tester, "2F 01 10 00") == "6F 01 10 00 00"
    tester.ask("2F 01 10 03 64")
    tester.holds.release("input.Throttle")
    assert returned(tester, "2F 01 10 00") == "6F 01 10 00 00"


def test_control_returned_shows_the_source_that_has_the_entry_again() -> None:
    """Not what was held: it stands on the data bus until the next tick."""
    tester = Tester().extended()
    tester.ask("2F 01 10 03 C8")
    tester.bus.write(INPUT, InputData.THROTTLE, 1.0)
    assert tester.ask("2F 01 10 00") == ""
    assert tester.server.poll(tester.t) is None
    tester.bus.write(INPUT, InputData.THROTTLE, 0.25)
    assert tester.wait(1) == [(1, "6F 01 10 00 32")]


def test_what_is_not_available_can_be_returned_and_not_frozen() -> None:
    """An entry without any source has no value."""
    tester = Tester().extended()
    assert tester.bus.request[RequestData.ENGINE_TORQUE] == NAN
    assert tester.ask("2F 01 12 02") == "7F 2F 22"
    assert tester.ask("2F 01 12 03 00 64") == "6F 01 12 03 00 64"
    assert tester.holds.held == {"request.EngineTorque": 100.0}
    assert returned(tester, "2F 01 12 00") == "6F 01 12 00"
    assert tester.holds.held == {}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("2F", "13"),
        ("2F 01 10", "13"),
        ("2F 00 00 00", "31"),
        ("2F 01 00 03 00 00", "31"),  # can be read only
        ("2F F1 98 00", "31"),
        ("2F 01 10 04", "31"),
        ("2F 01 12 01", "31"),  # has no default
        ("2F 01 11 03", "33"),  # security goes before the length
        ("2F 01 10 03", "13"),
        ("2F 01 10 03 00 00", "13"),
        ("2F 01 10 00 00", "13"),
        ("2F 01 10 03 FF", "31"),  # 127.5 %
    ],
)
def test_what_cannot_be_controlled_is_refused(request_: str, code: str) -> None:
    """Length at all, identifier, parameter, security, length of the state, value."""
    tester = Tester().extended()
    assert tester.ask(request_) == f"7F 2F {code}"
    assert tester.holds.held == {}
