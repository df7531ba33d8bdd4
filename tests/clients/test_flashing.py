"""udsoncan flashes a control unit over SLCAN, in real time; a run of the program after it still has the image."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bincopy import BinFile  # type: ignore[import-untyped]
from udsoncan import DataFormatIdentifier, MemoryLocation
from udsoncan.client import Client
from udsoncan.exceptions import NegativeResponseException
from udsoncan.services.DiagnosticSessionControl import DiagnosticSessionControl
from udsoncan.services.ECUReset import ECUReset

from .testers import ENGINE_11, diagnostics_bench, started, uds_client

PROGRAMMING = DiagnosticSessionControl.Session.programmingSession
EXTENDED = DiagnosticSessionControl.Session.extendedDiagnosticSession
ERASE, CHECK, DEPENDENCIES = 0xFF00, 0x0202, 0xFF01

START, SIZE = 0x8_0000, 0x1_0000
DELIVERED = bytes(SIZE)
IMAGE = bytes((index * 31 + (index >> 8)) & 0xFF for index in range(5_000))

MEMORY = '- {address: 0x1000, text: "calibration of the engine"}'
FLASH = """- {image: delivered.hex, flash: true, write_security: 1}
        programming: {erase_time: 300, check: {crc: sent}, bootloader: true}"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """The diagnostics bench with 64 KiB of flash, which is kept in a file of its folder."""
    delivered = BinFile()
    delivered.add_binary(DELIVERED, START)
    (tmp_path / "delivered.hex").write_text(delivered.as_ihex())
    file = diagnostics_bench(tmp_path, (MEMORY, FLASH))
    file.write_text(file.read_text().replace("state: none", f"state: {tmp_path}/state.json"))
    return file


def told(function: Callable[..., Any], *arguments: Any) -> Any:
    response = function(*arguments)
    assert response is not None
    return response.service_data


def place(begin: int, length: int) -> MemoryLocation:
    return MemoryLocation(START + begin, length, address_format=32, memorysize_format=32)


def status(client: Client, routine: int, option: bytes = b"") -> int:
    return int(told(client.start_routine, routine, option).routine_status_record[0])


def flash(client: Client, image: bytes) -> None:
    """As a workshop tester does: unlock, erase, download, exit, check, dependencies, reset."""
    client.change_session(PROGRAMMING)
    client.unlock_security_access(1)
    assert status(client, ERASE, bytes.fromhex(f"44 {START:08X} {SIZE:08X}")) == 0
    longest = told(client.request_download, place(0, len(image)), DataFormatIdentifier()).max_length
    for number, begin in enumerate(range(0, len(image), longest - 2), 1):
        client.transfer_data(number & 0xFF, image[begin : begin + longest - 2])
    client.request_transfer_exit()
    assert status(client, CHECK, zlib.crc32(image).to_bytes(4, "big")) == 0
    assert status(client, DEPENDENCIES) == 0
    client.ecu_reset(ECUReset.ResetType.hardReset)


def uploaded(client: Client, length: int) -> bytes:
    """By request upload and transfer data."""
    client.change_session(PROGRAMMING)
    longest = told(client.request_upload, place(0, length), DataFormatIdentifier()).max_length
    blocks = [
        told(client.transfer_data, number & 0xFF).parameter_records for number in range(1, 1 - -length // (longest - 2))
    ]
    client.request_transfer_exit()
    return b"".join(blocks)


def test_an_image_is_flashed_and_is_there_after_a_restart_of_the_program(bench: Path) -> None:
    """Read back by 35 and 36, and by 23; then a flash that is broken off leaves a boot loader."""
    with started(bench) as (_, port), uds_client(port, ENGINE_11) as client:
        assert uploaded(client, 100) == DELIVERED[:100]
        flash(client, IMAGE)
    with started(bench) as (_, port), uds_client(port, ENGINE_11) as client:
        assert uploaded(client, len(IMAGE)) == IMAGE
        client.change_session(EXTENDED)
        rest = told(client.read_memory_by_address, place(len(IMAGE) - 2, 4)).memory_block
        assert rest == IMAGE[-2:] + b"\xff\xff"
        client.change_session(PROGRAMMING)
        client.unlock_security_access(1)
        status(client, ERASE)
        client.request_download(place(0, 4), DataFormatIdentifier())
        client.transfer_data(1, b"half")
        client.ecu_reset(ECUReset.ResetType.hardReset)
        with pytest.raises(NegativeResponseException) as error:
            client.get_dtc_by_status_mask(0xFF)
        assert error.value.response.code_name == "ServiceNotSupported"
        flash(client, IMAGE)
        assert client.get_dtc_by_status_mask(0xFF) is not None
