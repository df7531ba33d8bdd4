"""Programming by services 34 to 37 and 31, as ISO 14229-1 (clause 14 and annex F) has it."""

import binascii
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from udsoncan import DataFormatIdentifier, MemoryLocation

from vehiclesim.channels import AuxiliaryData

from .tester import Tester, answers

START, SIZE = 0x8000, 0x400
MEMORY = [
    {"address": START, "length": SIZE, "data": "11 22 33", "flash": True, "write_security": 1},
    {"address": 0x2000_0000, "length": 64, "fill": 0, "write": True},
    {"address": 0x100, "text": "ROM"},
    {"address": 0x200, "text": "KEYS", "read": False},
]
ERASE_ALL, DEPENDENCIES = "31 01 FF 00", "31 01 FF 01"
DOWNLOAD = f"34 00 44 {START:08X} {SIZE:08X}"
IMAGE = bytes(index * 7 & 0xFF for index in range(SIZE))


def unit(**programming: Any) -> Tester:
    settings = {"block_length": 258, "erase_time": 0} | programming
    return Tester(memory=MEMORY, programming=settings)


def told(tester: Tester, request: str) -> str:
    """The answer, also one in the ticks that follow."""
    heard = tester.ask(request)
    for _ in range(0 if heard else 2000):
        said = [text for _, text in tester.wait(1)]
        if said and not said[0].endswith("78"):
            return said[0]
    return heard


def download(tester: Tester, image: bytes = IMAGE, size: int = 256) -> None:
    """All of the image in blocks, and the exit."""
    assert tester.ask(f"34 00 44 {START:08X} {len(image):08X}") == "74 20 01 02"
    for number, begin in enumerate(range(0, len(image), size), 1):
        assert told(tester, f"36 {number & 0xFF:02X} {image[begin : begin + size].hex()}") == f"76 {number & 0xFF:02X}"
    assert tester.ask("37") == "77"


def test_udsoncan_programs_and_reads_back() -> None:
    """Erase by place, download, exit, dependencies; then upload."""
    tester = unit().programming()
    client = tester.client()
    location = MemoryLocation(START, SIZE, address_format=32, memorysize_format=32)
    erased = answers(client.start_routine, 0xFF00, bytes.fromhex(f"44 {START:08X} {SIZE:08X}"))
    assert erased.routine_status_record == b"\x00"
    length = answers(client.request_download, location, DataFormatIdentifier()).max_length
    assert length == 258
    for number, begin in enumerate(range(0, SIZE, length - 2), 1):
        client.transfer_data(number, IMAGE[begin : begin + length - 2])
    client.request_transfer_exit()
    assert answers(client.start_routine, 0xFF01).routine_status_record == b"\x00"
    length = answers(client.request_upload, location, DataFormatIdentifier()).max_length
    blocks = [answers(client.transfer_data, number).parameter_records for number in range(1, SIZE // (length - 2) + 1)]
    client.request_transfer_exit()
    assert b"".join(blocks) == IMAGE


@given(st.binary(min_size=1, max_size=SIZE), st.integers(1, 256))
def test_what_is_downloaded_is_read_in_blocks_of_any_size(image: bytes, size: int) -> None:
    """By 23 and by 35; after number FF comes 00."""
    tester = unit().programming()
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    download(tester, image, size)
    assert bytes.fromhex(tester.ask(f"23 44 {START:08X} {len(image):08X}"))[1:] == image
    assert tester.ask(f"35 00 44 {START:08X} {len(image):08X}") == "75 20 01 02"
    read = b"".join(bytes.fromhex(tester.ask(f"36 {n + 1:02X}"))[2:] for n in range(-(-len(image) // 256)))
    assert read == image


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("34", "13"),
        ("34 00 11 00", "13"),
        (f"34 10 44 {START:08X} {SIZE:08X}", "31"),  # compressed
        (f"34 01 44 {START:08X} {SIZE:08X}", "31"),  # encrypted
        (f"34 00 04 {START:08X}", "31"),
        (f"34 00 44 {START:08X} {SIZE:06X}", "13"),
        (f"34 00 44 {START:08X} {SIZE:08X} 00", "13"),
        (f"34 00 44 {START:08X} 00000000", "31"),
        (f"34 00 44 {START:08X} {SIZE + 1:08X}", "31"),
        (f"34 00 44 {START - 1:08X} {SIZE:08X}", "31"),
        ("34 00 12 01 00 03", "31"),  # ROM
        (DOWNLOAD, "70"),  # not erased
        ("35 00 12 02 00 04", "31"),  # not to be read
        (f"35 10 44 {START:08X} {SIZE:08X}", "31"),
        ("36", "13"),
        ("36 01", "24"),
        ("36 01 00", "24"),
        (f"36 01 {'00' * 257}", "13"),  # longer than 34 permits
        ("37", "24"),
        ("37 00", "13"),
        ("3D 12 20 00", "13"),
        ("3D 12 01 00 01", "13"),  # no data
        ("3D 12 01 00 03 41 42", "13"),
        ("3D 12 01 00 03 41 42 43", "31"),  # ROM
        (f"3D 14 {START:08X} 01 00", "31"),  # flash is not written
        ("31 01 FF 00 12 01 00 03", "31"),  # ROM is not erased
        (f"31 01 FF 00 44 {START:08X}", "13"),
        ("31 01 FF 00 01", "31"),
        (f"{DEPENDENCIES} 00", "13"),
        ("31 02 FF 00", "12"),
        ("31 03 FF 00", "24"),
    ],
)
def test_what_is_no_request_is_refused(request_: str, code: str) -> None:
    """Length, format, place; sequence; nothing has changed."""
    tester = unit().programming()
    assert tester.ask(request_) == f"7F {request_[:2]} {code}"
    assert tester.ask(f"23 14 {START:08X} 04") == "63 11 22 33 FF"


def exit_with(tester: Tester, record: bytes) -> str:
    """All of the image, and the exit with a record."""
    assert tester.ask(DOWNLOAD) == "74 20 01 02"
    for number, begin in enumerate(range(0, SIZE, 256), 1):
        assert told(tester, f"36 {number:02X} {IMAGE[begin : begin + 256].hex()}") == f"76 {number:02X}"
    return told(tester, f"37 {record.hex()}")


@pytest.mark.parametrize("algorithm", ["crc32", "crc16"])
def test_the_exit_has_the_crc_of_the_download(algorithm: str) -> None:
    """Compared with that of the tester, or answered: beside zlib and binascii. Another one ends the transfer (72)."""
    crc = zlib.crc32(IMAGE).to_bytes(4, "big")
    if algorithm == "crc16":
        crc = binascii.crc_hqx(IMAGE, 0xFFFF).to_bytes(2, "big")
    tester = unit(exit={"crc": "sent", "algorithm": algorithm}).programming()
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    assert exit_with(tester, bytes(len(crc))) == "7F 37 72"
    assert tester.ask(f"37 {crc.hex()}") == "7F 37 24"
    assert told(tester, DEPENDENCIES) == "71 01 FF 01 01"
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    assert exit_with(tester, crc) == "77"
    assert told(tester, DEPENDENCIES) == "71 01 FF 01 00"
    tester = unit(exit={"crc": "answered", "algorithm": algorithm}).programming()
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    assert exit_with(tester, b"") == f"77 {crc.hex(' ').upper()}"


def test_the_exit_has_a_record_of_the_maker() -> None:
    """Of its length, whatever it says; an upload has none. udsoncan sends it as it is."""
    tester = unit(exit={"length": 3}).programming()
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    assert tester.ask("37") == "7F 37 13"
    assert exit_with(tester, b"ab") == "7F 37 13"
    assert answers(tester.client().request_transfer_exit, b"abc").parameter_records == b""
    assert tester.ask(f"35 00 44 {START:08X} 00000002") == "75 20 01 02"
    assert tester.ask("36 01").startswith("76 01")
    assert tester.ask("37") == "77"


def test_compressed_data_is_complete_when_the_tester_says_so() -> None:
    """It is kept as it comes: no more than there is room for, and the rest stays erased. Other formats are 31."""
    tester = unit(formats=["11", "10"]).programming()
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    location = MemoryLocation(START, SIZE, address_format=32, memorysize_format=32)
    form = DataFormatIdentifier(compression=1, encryption=1)
    assert answers(tester.client().request_download, location, form).max_length == 258
    assert tester.ask("37") == "7F 37 24"
    assert tester.ask("36 01 AA BB CC") == "76 01"
    assert tester.ask("37") == "77"
    assert tester.ask(f"23 14 {START:08X} 05") == "63 AA BB CC FF FF"
    assert told(tester, DEPENDENCIES) == "71 01 FF 01 00"
    assert tester.ask(DOWNLOAD.replace("34 00", "34 01")) == "7F 34 31"
    assert tester.ask(DOWNLOAD.replace("34 00", "35 11")) == "7F 35 31"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"exit": {"crc": "sent", "length": 4}}, "is that of the CRC"),
        ({"exit": {"algorithm": "crc16"}}, "needs 'crc'"),
        ({"formats": ["00"]}, "should match pattern"),
        ({"formats": ["1"]}, "should match pattern"),
    ],
)
def test_what_a_transfer_cannot_have(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        unit(**settings)


def test_security_is_asked_for() -> None:
    """33 for erasing and downloading; reading needs none here."""
    tester = unit()
    tester.ask("10 02")
    assert [tester.ask(one) for one in (ERASE_ALL, DOWNLOAD)] == ["7F 31 33", "7F 34 33"]
    assert tester.ask(f"35 00 14 {START:08X} 03") == "75 20 01 02"


def test_programming_is_for_its_session() -> None:
    """7F for the services, 31 for the routines, which are none there; without settings nothing of it exists."""
    tester = unit().unlocked()
    assert [tester.ask(one)[6:] for one in (DOWNLOAD, "35", "36 01", "37")] == ["7F"] * 4
    assert [tester.ask(one) for one in (ERASE_ALL, DEPENDENCIES)] == ["7F 31 31"] * 2
    plain = Tester().extended()
    assert [plain.ask(one)[6:] for one in (DOWNLOAD, "35", "36 01", "37", ERASE_ALL)] == ["11"] * 4 + ["31"]
    assert plain.ask("10 02") == "7F 10 12"


def test_blocks_come_in_order_and_may_come_twice() -> None:
    """73 for another number; the last one again is answered again and not written again."""
    tester = unit().programming()
    told(tester, ERASE_ALL)
    tester.ask(f"34 00 44 {START:08X} 00000004")
    assert tester.ask("36 02 AA BB") == "7F 36 73"
    assert tester.ask("36 00 AA BB") == "7F 36 73"
    assert tester.ask("36 01 AA BB") == "76 01"
    assert tester.ask("36 01 CC DD") == "76 01"
    assert tester.ask("37") == "7F 37 24"  # half of it is missing
    assert tester.ask("36 02 EE FF") == "76 02"
    assert tester.ask("36 02 EE FF") == "76 02"
    assert tester.ask("36 03 00") == "7F 36 24"  # there is no more
    assert tester.ask("37") == "77"
    assert tester.ask("37") == "7F 37 24"
    assert tester.ask(f"23 14 {START:08X} 04") == "63 AA BB EE FF"


def test_an_upload_repeats_its_last_block_and_takes_no_data() -> None:
    tester = unit().programming()
    tester.ask("35 00 12 01 00 03")
    assert tester.ask("36 01 00") == "7F 36 13"
    assert [tester.ask("36 01") for _ in range(2)] == ["76 01 52 4F 4D"] * 2
    assert tester.ask("36 02") == "7F 36 24"
    assert tester.ask("37") == "77"


def test_more_data_than_was_announced_ends_the_transfer() -> None:
    """71; the flash is not valid."""
    tester = unit().programming()
    told(tester, ERASE_ALL)
    tester.ask(f"34 00 44 {START:08X} 00000002")
    assert tester.ask("36 01 AA BB CC") == "7F 36 71"
    assert tester.ask("37") == "7F 37 24"
    assert tester.ask(DEPENDENCIES) == "71 01 FF 01 01"


def test_one_transfer_is_under_way_at_a_time() -> None:
    """22 for another one, and for erasing; a session ends it."""
    tester = unit().programming()
    told(tester, ERASE_ALL)
    tester.ask(DOWNLOAD)
    assert [tester.ask(one) for one in (DOWNLOAD, "35 00 12 01 00 03", ERASE_ALL)] == [
        "7F 34 22", "7F 35 22", "7F 31 22",
    ]  # fmt: skip
    tester.programming()
    assert tester.ask("36 01 00") == "7F 36 24"


def test_erasing_takes_its_time() -> None:
    """78 within P2, the status after the time; the results have it too."""
    tester = unit(erase_time=3000).programming()
    assert tester.ask(f"31 01 FF 00 44 {START + 1:08X} 00000002") == ""
    heard = tester.wait(3000)
    assert [text for _, text in heard] == ["7F 31 78", "7F 31 78", "71 01 FF 00 00"]
    assert (heard[0][0] <= 50, heard[-1][0]) == (True, 3000)
    assert tester.ask(f"23 14 {START:08X} 04") == "63 11 FF FF FF"
    assert tester.ask("31 03 FF 00") == "71 03 FF 00 00"


def test_a_large_memory_is_erased_over_some_ticks() -> None:
    """64 KiB in each, so that none is late; 34 sees whether all of it is erased, and the answer comes at the end."""
    memory = [{"address": 0, "length": 0x4_0001, "text": "old", "flash": True}]
    tester = Tester(memory=memory, programming={"erase_time": 0}).programming()
    assert tester.ask(ERASE_ALL) == ""
    assert tester.wait(10) == [(6, "71 01 FF 00 00")]
    assert tester.ask("34 00 33 000000 040001") == "74 20 04 02"
    tester.ask("36 01 00")
    tester.programming()
    assert tester.ask("34 00 33 000000 040001") == "7F 34 70"
    assert tester.ask("34 00 33 000001 040000") == "74 20 04 02"


def test_blocks_take_their_time() -> None:
    tester = unit(write_time=60).programming()
    told(tester, ERASE_ALL)
    tester.ask(DOWNLOAD)
    assert tester.ask("36 01 AA") == ""
    assert [text for _, text in tester.wait(60)] == ["7F 36 78", "76 01"]


def test_a_low_supply_is_refused() -> None:
    """93 below the lowest voltage, for flash alone."""
    tester = unit(lowest_voltage=11.5).programming()
    tester.bus.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 11_499
    assert tester.ask(ERASE_ALL) == "7F 31 93"
    tester.bus.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 11_500
    assert told(tester, ERASE_ALL) == "71 01 FF 00 00"
    tester.ask(DOWNLOAD)
    tester.bus.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 9_000
    assert tester.ask("36 01 AA") == "7F 36 93"
    tester.bus.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 12_000
    assert tester.ask("36 01 AA") == "76 01"
    tester.programming()
    tester.bus.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 9_000
    assert tester.ask("34 00 14 20 00 00 00 04") == "74 20 01 02"


def test_ram_is_written_and_loaded_without_erasure() -> None:
    """3D repeats format, address and length; a flash driver is loaded by 34."""
    tester = unit().extended()
    assert tester.ask("3D 14 20 00 00 08 02 BE EF") == "7D 14 20 00 00 08 02"
    tester.programming()
    assert tester.ask("34 00 14 20 00 00 00 04") == "74 20 01 02"
    assert [tester.ask(one) for one in ("36 01 01 02 03 04", "37")] == ["76 01", "77"]
    assert tester.ask("23 14 20 00 00 00 0A") == "63 01 02 03 04 00 00 00 00 BE EF"


def test_memory_is_written_behind_its_security() -> None:
    secured = [{"address": 0, "data": "00 00", "write": True, "write_security": 1}]
    tester = Tester(memory=secured).extended()
    assert tester.ask("3D 11 00 01 AA") == "7F 3D 33"
    assert tester.ask("23 11 00 01") == "63 00"
    assert tester.unlocked().ask("3D 11 00 01 AA") == "7D 11 00 01"
    assert Tester().extended().ask("3D 11 00 01 AA") == "7F 3D 11"  # nothing there can be written


@pytest.mark.parametrize("way", ["sent", "sent with place", "stored"])
def test_an_image_is_valid_when_its_crc_is_right(way: str) -> None:
    """CRC-32 as Ethernet has it, by zlib; a wrong one is 01, and so are the dependencies."""
    tester = unit(check={"crc": way.split(maxsplit=1)[0]}).programming()
    told(tester, ERASE_ALL)
    stored = zlib.crc32(IMAGE[:-4]).to_bytes(4, "big")
    image = IMAGE[:-4] + stored if way == "stored" else IMAGE
    download(tester, image)
    assert tester.ask(DEPENDENCIES) == "71 01 FF 01 01"  # complete, and not checked yet
    option = zlib.crc32(image).to_bytes(4, "big").hex()
    place = f"44 {START:08X} {SIZE:08X}"
    if way == "stored":
        assert told(tester, "31 01 02 02") == "71 01 02 02 00"
    else:
        head = f"31 01 02 02 {place if way == 'sent with place' else ''}"
        assert told(tester, f"{head} 00 00 00 00") == "71 01 02 02 01"
        assert tester.ask(DEPENDENCIES) == "71 01 FF 01 01"
        assert told(tester, f"{head} {option}") == "71 01 02 02 00"
    assert tester.ask("31 03 02 02") == "71 03 02 02 00"
    assert tester.ask(DEPENDENCIES) == "71 01 FF 01 00"


def test_other_crcs_are_data() -> None:
    """CRC-16/ARC of "123456789" is BB3D (catalogue of CRCs); the routine has the number that the bench file gives."""
    check = {"algorithm": "crc16", "polynomial": 0x8005, "initial": 0, "xor_out": 0, "reflect": True, "routine": "FF02"}
    tester = unit(check=check).programming()
    told(tester, ERASE_ALL)
    assert tester.ask("31 01 FF 02 BB 3D") == "7F 31 24"  # nothing was downloaded
    download(tester, b"123456789")
    assert tester.ask("31 01 FF 02 44 BB CC") == "7F 31 13"
    assert told(tester, "31 01 FF 02 BB 3D") == "71 01 FF 02 00"


def test_a_crc_is_worked_out_some_bytes_a_tick() -> None:
    """2 KiB in each: 64 KiB take 32 ticks and the one that says so."""
    memory = [{"address": 0, "length": 0x1_0000, "flash": True}]
    tester = Tester(memory=memory, programming={"erase_time": 0, "check": {"crc": "sent"}}).programming()
    wanted = zlib.crc32(b"\xff" * 0x1_0000).to_bytes(4, "big").hex()
    assert tester.ask(f"31 01 02 02 31 00 01 00 00 {wanted}") == ""
    heard = tester.wait(40)
    assert [text for _, text in heard][-1] == "71 01 02 02 00"
    assert heard[-1][0] == 33


def test_after_a_broken_flash_there_is_only_a_boot_loader() -> None:
    """No trouble codes and no control (11), over a reset too; programming brings the application back."""
    tester = unit(bootloader=True)
    assert tester.ask("19 01 FF").startswith("59")
    tester.programming()
    told(tester, ERASE_ALL)
    tester.ask(DOWNLOAD)
    tester.ask("36 01 00 01 02")
    tester.ask("11 01")
    assert not tester.server.application_runs
    tester.extended()
    assert [tester.ask(one)[6:] for one in ("19 01 FF", "14 FF FF FF", "2F 01 10 00")] == ["11"] * 3
    assert tester.ask("22 F1 90").startswith("62")
    tester.programming()
    assert tester.ask(DEPENDENCIES) == "71 01 FF 01 01"
    told(tester, ERASE_ALL)
    download(tester)
    assert not tester.server.application_runs
    assert tester.ask(DEPENDENCIES) == "71 01 FF 01 00"
    tester.ask("11 01")
    assert tester.ask("19 01 FF").startswith("59")
    assert tester.server.application_runs
