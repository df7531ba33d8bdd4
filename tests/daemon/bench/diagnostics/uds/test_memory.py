"""The memory of a control unit: its regions, what a place in it is, and what is kept of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.bench.diagnostics.uds.memory import PIECE, place_of
from hilbridge.bench.diagnostics.uds.memory_file import Segment

from .tester import Tester

FLASH, SIZE = 0x8_0000, 3 * PIECE + 100
REGION = {"address": FLASH, "length": SIZE, "flash": True, "text": "as delivered"}


def unit(*regions: dict[str, Any], images: dict[str, list[Segment]] | None = None) -> Tester:
    return Tester(memory=list(regions), programming={}, images=images)


def kept(tester: Tester) -> dict[str, Any]:
    """What a run stores, after a trip through JSON."""
    memory, pieces = tester.server.memory, {}
    while (changed := memory.changed_piece()) is not None:
        pieces[changed[0]] = changed[1]
        memory.piece_stored()
    found: dict[str, Any] = json.loads(json.dumps({"known": memory.export(), "pieces": pieces}))
    return found


@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_a_place_is_an_address_and_a_length_in_sizes_of_its_own(size: int, width: int, data: st.DataObject) -> None:
    """Upper half of the format byte: size of the length; lower half: of the address (ISO 14229-1, annex H.1)."""
    address, length = data.draw(st.integers(0, (1 << 8 * width) - 1)), data.draw(st.integers(0, (1 << 8 * size) - 1))
    request = bytes((size << 4 | width,)) + address.to_bytes(width, "big") + length.to_bytes(size, "big")
    assert place_of(request + b"rest") == (address, length, b"rest")
    with pytest.raises(Refusal):
        place_of(request[:-1])


def test_text_comes_first_and_the_fill_after_it() -> None:
    (region,) = unit(REGION | {"fill": 0x5A}).server.memory.regions
    assert region.read(0, 14) == b"as deliveredZZ"
    assert region.length == SIZE


def test_a_file_with_addresses_gives_place_and_gaps() -> None:
    """Two segments with a gap of two bytes: a region of eight."""
    segments = [Segment(0x100, b"abc"), Segment(0x105, b"xyz")]
    (region,) = unit({"image": "app.hex", "flash": True}, images={"app.hex": segments}).server.memory.regions
    assert (region.address, region.read(0, 8)) == (0x100, b"abc\xff\xffxyz")


def test_a_region_takes_of_a_file_what_lies_in_it() -> None:
    """Boot loader and application out of one file."""
    segments = [Segment(0x100, b"boot loader"), Segment(0x200, b"application")]
    boot = {"address": 0x100, "length": 4, "image": "all.s19"}
    application = {"address": 0x1FE, "length": 5, "image": "all.s19", "flash": True}
    one, two = unit(boot, application, images={"all.s19": segments}).server.memory.regions
    assert (one.read(0, 4), two.read(0, 5)) == (b"boot", b"\xff\xffapp")


@pytest.mark.parametrize(
    ("region", "segments", "reason", "key"),
    [
        ({"image": "app.bin"}, [Segment(None, b"1")], "plain bytes has none", "address"),
        ({"image": "app.hex", "address": 0, "length": 16}, [Segment(0x100, b"1")], "no byte between 0 and 10", "image"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    region: dict[str, Any], segments: list[Segment], reason: str, key: str
) -> None:
    with pytest.raises(ConfigurationError, match=reason) as raised:
        unit(region | {"flash": True}, images={region["image"]: segments})
    assert raised.value.place == ("uds", "memory", 0, key)


def test_what_is_too_large_is_refused() -> None:
    """A file whose first and last byte lie far from each other, and regions that are too large together."""
    far = [Segment(0, b"1"), Segment(0x8000_0000, b"1")]
    with pytest.raises(ConfigurationError, match="at most 4194304"):
        unit({"image": "app.hex", "flash": True}, images={"app.hex": far})
    with pytest.raises(ConfigurationError, match="larger than 4 MiB in all"):
        unit(REGION | {"length": 4 << 20}, {"address": 0, "length": 1})


def test_changed_memory_outlasts_a_restart() -> None:
    """Content and validity; a piece of one byte alone is kept as that byte."""
    delivered = [Segment(None, bytes(range(256)) * (SIZE // 256))]
    region_of_file = {"address": FLASH, "image": "app.bin", "flash": True}
    first = unit(region_of_file, images={"app.bin": delivered})
    (region,) = first.server.memory.regions
    assert sum(1 for _ in region.erase(0, region.length)) == 1  # 64 KiB in one step
    region.write(PIECE - 2, bytes(range(4)))
    first.server.memory.invalidate(region)
    stored = kept(first)
    assert stored["pieces"][f"{FLASH + 2 * PIECE:010X}"] == 0xFF
    second = unit(region_of_file, images={"app.bin": delivered})
    second.server.memory.restore(stored)
    (again,) = second.server.memory.regions
    assert again.content == region.content
    assert (again.valid, second.server.memory.application) == (False, False)


def test_only_changed_pieces_are_stored_again() -> None:
    """And a piece that is as the bench file gives it is taken out."""
    tester = unit(REGION)
    (region,) = tester.server.memory.regions
    assert kept(tester)["pieces"] == {}
    region.write(PIECE + 5, b"x")
    assert list(kept(tester)["pieces"]) == [f"{FLASH + PIECE:010X}"]
    region.write(PIECE + 5, b"\xff")
    assert kept(tester)["pieces"] == {f"{FLASH + PIECE:010X}": None}
    region.write(3, b"y")
    kept(tester)
    tester.server.memory.store_all()
    assert list(kept(tester)["pieces"]) == [f"{FLASH:010X}"]


def test_another_image_in_the_bench_file_goes_before_what_was_stored() -> None:
    first = unit(REGION)
    first.server.memory.regions[0].write(0, b"FLASHED")
    second = unit(REGION | {"text": "of a newer version"})
    second.server.memory.restore(kept(first))
    assert second.server.memory.regions[0].read(0, 18) == b"of a newer version"


@pytest.mark.parametrize(
    "spoil",
    [
        {"known": {}},
        {"known": None},
        {"pieces": {f"{FLASH:010X}": "no base 64!"}},
        {"pieces": {f"{FLASH:010X}": "AAAA"}},
        {"pieces": {f"{FLASH:010X}": 256}},
    ],
)
def test_what_cannot_be_used_changes_nothing(spoil: dict[str, Any]) -> None:
    """Whoever restores it is told (bench/stored_state.py)."""
    tester = unit(REGION)
    before = bytes(tester.server.memory.regions[0].content)
    with pytest.raises((ValueError, TypeError, KeyError)):
        tester.server.memory.restore(kept(unit(REGION)) | spoil)
    assert tester.server.memory.regions[0].content == before


def test_a_reload_keeps_what_was_programmed() -> None:
    """Where the bench file still has the region."""
    before, after = unit(REGION), unit(REGION, {"address": 0, "length": 4})
    before.server.memory.regions[0].write(0, b"FLASHED")
    after.server.memory.take_over(before.server.memory)
    assert after.server.memory.regions[0].read(0, 7) == b"FLASHED"
    assert list(kept(after)["pieces"]) == [f"{FLASH:010X}"]
