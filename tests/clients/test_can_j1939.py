"""can-j1939 as a service tool on the truck bench: claims an address, asks, reads codes, over SLCAN in real time."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import j1939  # type: ignore[import-untyped]  # it has no types
import pytest

from ..program import PATIENCE, slcan_client
from .testers import command, shipped_bench, start_engine, started, wait_for

TOOL = 0xF9
"""Address of an off-board service tool."""

ENGINE, RETARDER = 0x00, 0x10
CLAIMED = j1939.ControllerApplication.State.NORMAL
VI, EEC1, ACKNOWLEDGEMENT = 0xFEEC, 0xF004, 0xE800
VIN = b"WHB00000000000001*"

CANNOT_CLAIM = 0x18EEFFFE
"""A NAME, to all, from the address of those who have none."""

MANY = 10_000
"""Frames: those of some ten seconds."""

RETARDER_FUNCTION = 13
"""Byte 6 of its NAME."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("truck")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    with started(shipped_bench("truck", folder, ("slcan: 29539", "slcan: 0"), ("[35002, pty]", "[0]"))) as (_, number):
        start_engine(folder)
        yield number


class Node:
    """A control unit of can-j1939; `heard` has what it received: group, source, data."""

    def __init__(self, port: int) -> None:
        self.ecu = j1939.ElectronicControlUnit()
        self.ecu.connect(interface="slcan", channel=f"socket://127.0.0.1:{port}", bitrate=250000, sleep_after_open=0)
        self.heard: list[tuple[int, int, bytes]] = []

    def claim(self, address: int, identity: int, *, arbitrary: bool = False) -> Any:
        name = j1939.Name(arbitrary_address_capable=arbitrary, industry_group=1, identity_number=identity)
        application = self.ecu.add_ca(name=name, device_address=address)
        application.subscribe(lambda _priority, pgn, source, _time, data: self.heard.append((pgn, source, bytes(data))))
        application.start()
        return application

    def of(self, pgn: int, source: int = ENGINE) -> list[bytes]:
        """What a source has said of a group."""
        return [data for group, sender, data in self.heard if (group, sender) == (pgn, source)]

    def has_told(self, pgn: int, start: bytes) -> bool:
        """Whether the engine has said something of a group that begins so."""
        return any(data.startswith(start) for data in self.of(pgn))


@contextmanager
def node(port: int) -> Iterator[Node]:
    joined = Node(port)
    try:
        yield joined
    finally:
        joined.ecu.stop()
        joined.ecu.disconnect()


def test_a_tool_claims_its_address_and_hears_the_engine(port: int) -> None:
    """EEC1 comes every 20 ms from address 0, eight bytes."""
    with node(port) as tool:
        application = tool.claim(TOOL, 1)
        wait_for(lambda: application.state == CLAIMED)
        wait_for(lambda: len(tool.of(EEC1)) > 20)
        assert {len(data) for data in tool.of(EEC1)} == {8}


def test_who_wants_a_taken_address_goes_elsewhere_or_falls_silent(port: int) -> None:
    """The bench's retarder keeps address 10 hex against a higher name, and gives it up to a lower one."""
    with node(port) as other:
        loser = other.claim(RETARDER, 0x1FFFFF, arbitrary=True)
        wait_for(lambda: loser.state == CLAIMED and loser.device_address != RETARDER)  # below 128 it may send at once
    with slcan_client(port) as listener, node(port) as other:
        winner = other.claim(RETARDER, 0)
        wait_for(lambda: winner.state == CLAIMED)
        assert winner.device_address == RETARDER
        heard = iter(lambda: listener.recv(PATIENCE), None)
        assert any(
            frame.arbitration_id == CANNOT_CLAIM and frame.data[5] == RETARDER_FUNCTION for frame in islice(heard, MANY)
        )


@pytest.mark.parametrize("destination", [ENGINE, 0xFF], ids=["in a connection", "as a broadcast"])
def test_a_request_is_answered(port: int, destination: int) -> None:
    """The VIN has 18 bytes with its end: RTS and CTS to one who asks for himself, a BAM where all were asked."""
    with node(port) as tool:
        application = tool.claim(TOOL, 1)
        wait_for(lambda: application.state == CLAIMED)
        application.send_request(0, VI, destination)
        wait_for(lambda: tool.of(VI) == [VIN])


def test_lists_readiness_and_calibrations_are_read(port: int) -> None:
    """DM5 says heavy duty OBD (33), DM6, 12, 23 and 28 have no code, DM19 number and id of the bench file.

    ECUID ends each of its fields with an asterisk. A stop by DM13 silences EEC1 until the tool starts it again.
    """
    groups = {0xFECE: b"\x00\x00\x21", 0xD300: b"BLIHHILBRIDGE-TRUCK\x00", 0xFDC5: b"ENGINE*1**ENGINE*hilbridge*"}
    groups |= dict.fromkeys((0xFECF, 0xFED4, 0xFDB5, 0xFD80), bytes.fromhex("00 FF 00 00 00 00 FF FF"))
    with node(port) as tool:
        application = tool.claim(TOOL, 1)
        wait_for(lambda: application.state == CLAIMED)
        for pgn, start in groups.items():
            application.send_request(pgn >> 16, pgn & 0xFFFF, ENGINE)
            wait_for(partial(tool.has_told, pgn, start))
        application.send_pgn(0, 0xDF, ENGINE, 6, list(bytes.fromhex("FC FF FF F0 FF FF FF FF")))
        asked = len(tool.of(0xFECE))
        application.send_request(0, 0xFECE, ENGINE)
        wait_for(lambda: len(tool.of(0xFECE)) > asked)
        silent = len(tool.of(EEC1))
        application.send_request(0, VI, 0xFF)
        wait_for(lambda: tool.of(VI) == [VIN])
        assert len(tool.of(EEC1)) == silent
        application.send_pgn(0, 0xDF, ENGINE, 6, list(bytes.fromhex("FD FF FF FF FF FF FF FF")))
        wait_for(lambda: len(tool.of(EEC1)) > silent + 20)


def test_what_nobody_knows_is_refused(port: int) -> None:
    """A request for a group that the engine does not have: a negative acknowledgement."""
    with node(port) as tool:
        application = tool.claim(TOOL, 1)
        wait_for(lambda: application.state == CLAIMED)
        application.send_request(0, 0xFE00, ENGINE)
        wait_for(lambda: tool.of(ACKNOWLEDGEMENT) == [bytes.fromhex("01 FF FF FF F9 00 FE 00")])


@pytest.mark.nightly
def test_a_stuck_throttle_appears_in_dm1_with_the_lamp_and_goes_again(port: int, folder: Path) -> None:
    """SPN 51, FMI 7, in the first driving cycle; cleared by DM11 when the fault is gone."""
    with node(port) as tool:
        application = tool.claim(TOOL, 1)
        messages: list[tuple[Any, list[tuple[int, int]]]] = []
        dm1 = j1939.Dm1(application)
        dm1.subscribe(
            lambda source, lamps, codes, _time: (
                messages.append((lamps["mil"], [(one["spn"], one["fmi"]) for one in codes]))
                if source == ENGINE
                else None
            )
        )
        wait_for(lambda: application.state == CLAIMED)
        fault = command(folder, "fault-add", fault={"kind": "physics", "entry": "StuckThrottle", "value": 0.9})
        wait_for(lambda: messages and (51, 7) in messages[-1][1])
        assert messages[-1][0] == j1939.DtcLamp.ON
        command(folder, "fault-clear", number=fault["fault"])
        wait_for(lambda: messages[-1][1] == [] or (51, 7) not in messages[-1][1])
        assert messages[-1][0] == j1939.DtcLamp.ON  # until three driving cycles were without it
        application.send_request(0, 0xFECC, ENGINE)  # DM3 clears what is no longer active
        wait_for(lambda: messages[-1][0] == j1939.DtcLamp.OFF)
