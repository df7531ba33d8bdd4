"""The A2L file: blocks by name, as ASAM MCD-2 MC has them. pya2ldb reads it in tests/xcp."""

import re
import socket

import pytest

from hilbridge.bench.xcp.memory_map import MemoryMap
from hilbridge.desk.a2l.file import a2l_of
from hilbridge.desk.a2l.interface import CanIdentifiers, XcpPlace, place_of
from vehiclesim.entries import STANDARD, Entries, Entry

PLACE = XcpPlace("tcp", "127.0.0.1", 5555)


def written(entries: Entries = STANDARD, *, write: bool = False, place: XcpPlace = PLACE) -> str:
    return a2l_of('a "bench"', entries, 1000, place, write=write)


def test_every_block_ends() -> None:
    open_blocks: list[str] = []
    for kind, name in re.findall(r"/(begin|end) (\w+)", written(write=True)):
        if kind == "begin":
            open_blocks.append(name)
        else:
            assert open_blocks.pop() == name
    assert not open_blocks


def test_every_entry_is_a_measurement_at_its_address() -> None:
    found = re.findall(r"/begin MEASUREMENT (\S+) .*\n\s+SLONG (\S+) 0 0 (\S+) (\S+)\n\s+ECU_ADDRESS (\S+)", written())
    assert {name: int(address, 16) for name, *_, address in found} == {
        entry.path: address for address, entry in MemoryMap(STANDARD).addresses()
    }


def test_only_what_may_be_set_is_a_characteristic() -> None:
    assert "CHARACTERISTIC" not in written()
    names = re.findall(r"/begin CHARACTERISTIC (\S+)", written(write=True))
    assert names == [f"hold.{entry.path}" for entry in STANDARD.all() if entry.limits is not None]


def test_methods_are_shared_and_each_is_there() -> None:
    text = written(write=True)
    methods = re.findall(r"/begin COMPU_METHOD (\S+)", text)
    assert len(set(methods)) == len(methods) < 100
    assert set(re.findall(r"SLONG (CM_\S+)", text)) == set(methods)
    assert set(re.findall(r"COMPU_TAB_REF (\S+)", text)) == set(re.findall(r"/begin COMPU_VTAB (\S+)", text))


def test_texts_of_a_bench_file_stay_within_their_quotes() -> None:
    own = Entry("custom", "Own", 1, '"', 'a "word"\n/end MODULE \\', "", limits=(0.0, 1.0))
    text = written(Entries((own,)), write=True)
    assert '"a \\"word\\" /end MODULE \\\\"' in text
    assert '"a \\"bench\\""' in text


@pytest.mark.parametrize(("extended", "master"), [(False, "0x7e5"), (True, "0x800007e5")])
def test_on_can_there_are_identifiers_and_packets_of_eight_bytes(extended: bool, master: str) -> None:
    """Commands that are longer than a frame are none that the slave has."""
    text = a2l_of("b", STANDARD, 1000, CanIdentifiers(0x7E5, 0x7ED, extended, 500_000), write=True)
    words = text.partition("/begin IF_DATA")[2].partition("/end IF_DATA")[0].split()
    assert words[words.index("CAN_ID_MASTER") + 1] == master
    assert words[words.index("BAUDRATE") + 1] == "500000"
    assert words[words.index("BYTE_ORDER_MSB_LAST") - 2 :][:2] == ["8", "8"]
    assert "DOWNLOAD" in words
    assert not {"SHORT_DOWNLOAD", "WRITE_DAQ_MULTIPLE"} & set(words)


def test_the_transport_is_that_of_the_bench() -> None:
    text = written(place=XcpPlace("udp", "::1", 7))
    assert re.search(r'/begin XCP_ON_UDP_IP\s+0x0104 7 IPV6 "::1"\s+/end XCP_ON_UDP_IP', text)


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
def test_a_bench_at_all_addresses_is_known_by_the_name_of_its_machine(address: str) -> None:
    """No one can connect to 0.0.0.0."""
    text = written(place=place_of("tcp", address, 7))
    assert f'7 HOST_NAME "{socket.gethostname()}"' in text
