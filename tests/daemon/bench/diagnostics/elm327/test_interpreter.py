"""Characters in, characters out: echo, lines, prompt, repetition, interruption, bounds."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.interpreter import LONGEST_LINE, OUTPUT_LIMIT
from hilbridge.frames.codec.frame import Frame

from .scan_tool import Car, ScanTool

BANNER = "\r\rELM327 v1.4b\r\r>"


def test_the_start_of_python_obd_as_it_is_written_on_the_line(car: Car) -> None:
    """Echo until it is switched off, an empty line and a prompt after every answer."""
    tool = ScanTool(car)
    assert tool.transcript("ATZ") == "ATZ\r" + BANNER
    assert tool.transcript("ATE0") == "ATE0\rOK\r\r>"
    assert tool.transcript("ATH1") == "OK\r\r>"
    assert tool.transcript("ATL0") == "OK\r\r>"
    assert tool.transcript("AT RV") == "12.6V\r\r>"
    assert tool.transcript("ATSP0") == "OK\r\r>"
    assert tool.transcript("0100") == ("SEARCHING...\r7E8 06 41 00 BE 3F A8 13 00 \r7E9 06 41 00 80 00 00 00 00 \r\r>")
    assert tool.transcript("ATDPN") == "A6\r\r>"


def test_a_baud_probe_gets_a_prompt(tool: ScanTool) -> None:
    """Two bytes 7F and CR, which are no command."""
    assert tool.transcript("\x7f\x7f") == "?\r\r>"


def test_linefeeds_follow_every_cr_once_they_are_switched_on(car: Car) -> None:
    tool = ScanTool(car)
    assert tool.transcript("ATL1") == "ATL1\rOK\r\n\r\n>"
    assert tool.transcript("ATI") == "ATI\r\nELM327 v1.4b\r\n\r\n>"


def test_case_spaces_nul_and_linefeeds_do_not_matter(tool: ScanTool) -> None:
    for line in ("at i", "A T\x00I", "ati\n", " AT I "):
        assert tool.ask(line) == ["ELM327 v1.4b"]
    assert tool.ask("01 0c") == ["41 0C 1A F8"]


def test_a_linefeed_behind_the_cr_interrupts_nothing(tool: ScanTool) -> None:
    """Some clients end their lines with both."""
    tool.type("010C\r\n")
    for _ in range(300):
        tool.car.tick()
    assert tool.read() == "41 0C 1A F8 \r\r>"


def test_an_empty_line_repeats_the_last_one(tool: ScanTool) -> None:
    assert tool.ask("0105") == tool.ask("") == tool.ask("") == ["41 05 7B"]
    assert tool.car.engine.requests == ["0105"] * 3
    assert tool.ask("ATRV") == tool.ask("")


def test_an_empty_line_before_any_other_is_answered_by_the_prompt(car: Car) -> None:
    assert ScanTool(car).transcript("") == "\r\r>"


@pytest.mark.parametrize(
    "line", ["AT", "ATXYZ", "ATSP", "ATSPD", "ATSH12", "ATST1", "1", "01 0G", "hello", "0123456789ABCDEF"]
)
def test_what_is_neither_command_nor_request_is_not_understood(tool: ScanTool, line: str) -> None:
    assert tool.ask(line) == ["?"]
    assert tool.car.frames == []


def test_a_command_that_does_not_wait_for_the_prompt_is_carried_out(tool: ScanTool) -> None:
    tool.type("ATMA\rATI\r")
    assert tool.read() == "STOPPED\r\r>ELM327 v1.4b\r\r>"


def test_any_other_character_stops_a_request_and_is_lost(tool: ScanTool) -> None:
    tool.type("0199\r")
    tool.car.tick()
    tool.type("x")
    assert tool.read() == "STOPPED\r\r>"
    assert tool.ask("ATI") == ["ELM327 v1.4b"]


def test_an_output_that_nobody_reads_breaks_monitoring_off(tool: ScanTool) -> None:
    """What waits is bounded by the limit and one line more."""
    tool.type("ATMA\r")
    while not tool.elm.output.endswith(b">"):
        tool.car.bus.transmit(Frame(0x123, bytes(8)), None)
        tool.car.tick()
    assert OUTPUT_LIMIT < len(tool.elm.output) < OUTPUT_LIMIT + 100
    assert tool.read().endswith("BUFFER FULL\r\r>")
    assert not tool.elm.listening


def test_half_a_line_is_given_up_after_twenty_seconds(tool: ScanTool) -> None:
    tool.type("ATSP")
    tool.elm.poll(19_999 * MILLISECOND)
    assert tool.read() == ""
    tool.elm.poll(20_001 * MILLISECOND)
    assert tool.read() == "?\r\r>"
    assert tool.ask("ATI") == ["ELM327 v1.4b"]


def test_an_overlong_line_is_not_understood_as_its_beginning(tool: ScanTool) -> None:
    tool.ask("ATAL")
    assert tool.ask("01" * LONGEST_LINE) == ["?"]
    assert tool.ask("ATI") == ["ELM327 v1.4b"]


def test_low_power_ends_with_the_next_line(tool: ScanTool) -> None:
    """OK without a prompt; the line that wakes it is lost, unless it is a command."""
    for line, answer in ((" ", "\r>"), ("0105", "\r>"), ("ATI", "ELM327 v1.4b\r\r>")):
        tool.type("ATLP\r")
        assert tool.read() == "OK\r"
        assert tool.transcript(line) == answer
        assert tool.ask("0105") == ["41 05 7B"]


def test_every_client_has_an_adapter_as_just_switched_on(car: Car) -> None:
    first, second = ScanTool(car, "ATE0", "ATH1", "ATSP6"), ScanTool(car)
    assert second.transcript("ATDPN") == "ATDPN\rA0\r\r>"
    second.type("ATMA\r")
    assert first.ask("010C1") == ["7E8 04 41 0C 1A F8 00 00 00"]
    car.adapters.unplug(first.elm)
    assert second.read() == "ATMA\r01 0C \r41 0C 1A F8 \r"


COMMANDS = st.one_of(
    st.sampled_from(["ATZ", "ATD", "ATWS", "ATMA", "ATMR01", "ATMPFEEE1", "ATLP", "ATRTR", "ATSP0", "ATSPA6", "ATSP3"]),
    st.sampled_from(
        ["ATTP8", "ATPBE101", "ATSPB", "ATSPA", "ATCAF0", "ATH1", "ATAL", "ATR0", "ATV1", "ATCEA10", "ATST01"]
    ),
    st.sampled_from(["ATFCSH7E0", "ATFCSD300000", "ATFCSM1", "ATCRA7XX", "ATCM7FF", "ATAT2", "ATSH18DAF110"]),
    st.sampled_from(["0100", "09021", "0904", "1002", "22F190F18C", "2E1234AABBCCDDEE"]),
)
LINES = st.one_of(
    COMMANDS,
    COMMANDS.map(lambda command: f"{command}\r"),
    st.text("AT0123456789ABCDEFSPHR \x00\n", max_size=20),
    st.binary(max_size=30).map(lambda b: b.decode("latin-1")),
)


@settings(max_examples=150)
@given(st.lists(st.tuples(LINES, st.integers(0, 60)), max_size=12), st.booleans())
def test_whatever_was_typed_a_reset_gives_the_banner_and_a_prompt(lines: list[tuple[str, int]], extended: bool) -> None:
    """Also in the middle of a line, of a search, of a request, of monitoring, and asleep."""
    car = Car(extended)
    tool = ScanTool(car)
    for line, ticks in lines:
        tool.type(line)
        for _ in range(ticks):
            car.tick()
    tool.type("\rATZ\r")
    assert tool.read().endswith(BANNER)


def test_ten_thousand_lines_of_noise_are_survived(tool: ScanTool) -> None:
    """The request after them is answered."""
    noise = random.Random(1)
    for _ in range(10_000):
        tool.type(noise.randbytes(noise.randrange(12)).decode("latin-1") + "\r")
        tool.read()
    tool.type("\rATZ\r")
    tool.read()
    assert tool.ask("ATE0") == ["OK"]
    assert tool.ask("ATSP6") == ["OK"]
    assert tool.ask("010C1") == ["41 0C 1A F8"]
