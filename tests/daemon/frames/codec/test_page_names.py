"""One name on several pages of a message: read and sent by whichever page a frame has."""

from pathlib import Path
from typing import Any

import pytest
from cantools.database.can import Message, Signal
from cantools.database.conversion import LinearConversion

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import SignalMap
from hilbridge.frames.codec.codec import MOST_PATHS, CompiledMessage, compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.mapping import assign, sources_of
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus

DBC = """VERSION ""
BU_: ECU
BO_ 100 M: 8 ECU
 SG_ Mux M : 0|8@1+ (1,0) [0|255] "" X
 SG_ Ts m0 : 8|8@1+ (1,0) [0|0] "degC" X
 SG_ Ts m1 : 16|8@1- (0.5,-40) [0|0] "degC" X
 SG_ U m2 : 8|8@1+ (1,0) [0|0] "" X
 SG_ EngineRpm m0 : 16|16@1+ (1,0) [0|0] "rpm" X
 SG_ EngineRpm m1 : 31|16@0+ (0.25,0) [0|0] "rpm" X
VAL_ 100 Ts 100 "Hot" ;
"""
DOUBLE = """VERSION ""
BU_: ECU
BO_ 101 N: 8 ECU
 SG_ SET0 : 23|1@0+ (1,0) [0|1] "" X
 SG_ SET0 : 31|1@0+ (1,0) [0|1] "" X
 SG_ SET0 : 31|1@0+ (1,0) [0|1] "" X
"""


def compiled(folder: Path, text: str, name: str) -> tuple[CompiledMessage, list[str]]:
    path = folder / "a.dbc"
    path.write_text(text, encoding="utf-8")
    database = load_database(path)
    return compile_message(database.message(name)), database.warnings


@pytest.mark.parametrize(
    ("data", "values"),
    [
        ("00 64 10 27 00 00 00 00", {"Mux": 0, "Ts": 100, "EngineRpm": 10_000}),
        ("01 64 64 27 10 00 00 00", {"Mux": 1, "Ts": 10, "EngineRpm": 0x2710 / 4}),
        ("02 64 64 27 10 00 00 00", {"Mux": 2, "U": 100}),
        ("03 64 64 27 10 00 00 00", {"Mux": 3}),
    ],
)
def test_a_frame_has_the_values_of_its_page(tmp_path: Path, data: str, values: dict[str, float]) -> None:
    """By the layout, scale and byte order of the page; and they are sent as they were read."""
    codec, warnings = compiled(tmp_path, DBC, "M")
    payload = bytes.fromhex(data)
    assert codec.decode(payload) == values
    assert codec.decode_available(payload) == values
    named = codec.decode(payload, names=True)
    assert named.get("Ts") == ("Hot" if values.get("Ts") == 100 or values["Mux"] == 1 else None)
    assert codec.decode(codec.encode(values)) == values
    assert warnings == []


@pytest.mark.parametrize("page", [0, 1])
def test_one_line_of_the_bench_drives_every_page(tmp_path: Path, page: int) -> None:
    """Mapped, by its name, and constant: each page encodes it in its own way."""
    codec, _ = compiled(tmp_path, DBC, "M")
    maps: dict[str, Any] = {"Mux": {"constant": page}, "Ts": {"constant": 20}}
    rows = assign(codec, {name: SignalMap.model_validate(one) for name, one in maps.items()}, ())
    data = DataBus()
    data.channels[VEHICLE][VehicleData.ENGINE_RPM] = 3_000_000
    sent = codec.bus_encoder(sources_of(rows))(data.channels)
    assert codec.decode(sent) == {"Mux": page, "Ts": 20, "EngineRpm": 3000}
    assert {(row.signal, row.origin) for row in rows if "EngineRpm" in row.signal} == {
        ("EngineRpm", "by name"), ("EngineRpm (Mux 1)", "by name"),
    }  # fmt: skip


def test_a_page_may_have_a_line_of_its_own(tmp_path: Path) -> None:
    """By the key that `check` shows."""
    codec, _ = compiled(tmp_path, DBC, "M")
    maps = {"Mux": 1, "Ts": 20, "Ts (Mux 1)": 10}
    rows = assign(codec, {name: SignalMap(constant=value) for name, value in maps.items()}, ())
    assert codec.decode(codec.bus_encoder(sources_of(rows))(DataBus().channels))["Ts"] == 10


def test_a_changed_value_is_that_of_the_page(tmp_path: Path) -> None:
    """As faults of signals change it; bytes without the signal stay."""
    codec, _ = compiled(tmp_path, DBC, "M")
    assert codec.altered(bytes.fromhex("01 64 64 00 00000000"), "Ts", lambda raw: raw + 1)[:3].hex() == "016465"
    assert codec.altered(bytes.fromhex("00 64 64 00 00000000"), "Ts", lambda raw: raw + 1)[:3].hex() == "006564"
    assert codec.carried(bytes(8), "Ts") == "Ts"
    assert codec.carried(bytes([2, *bytes(7)]), "Ts") is None


def test_two_of_a_name_on_one_page_are_told_and_kept(tmp_path: Path) -> None:
    """The second one under another name; one that has the very bits of another one is left out."""
    codec, warnings = compiled(tmp_path, DOUBLE, "N")
    assert codec.decode(bytes.fromhex("0000008000000000")) == {"SET0": 0, "SET0 (2)": 1}
    assert codec.encode({"SET0": 1}).hex() == "0000800000000000"
    assert warnings == [
        "a.dbc: message N has two signals SET0 on one page: the second one is called 'SET0 (2)'",
        "a.dbc: message N has two signals SET0 on one page: the second one has the same bits, and is left out",
    ]


def signal(name: str, start: int, multiplexer: str | None = None, ids: list[int] | None = None, **keys: Any) -> Signal:
    return Signal(
        name, start, 4, conversion=LinearConversion(1, 0, is_float=False), multiplexer_signal=multiplexer,
        multiplexer_ids=ids, **keys,
    )  # fmt: skip


def test_pages_of_two_multiplexers_meet() -> None:
    """So a name of both is two names: one frame carries both."""
    signals = [
        signal("A", 0, is_multiplexer=True), signal("B", 4, is_multiplexer=True),
        signal("X", 8, "A", [0]), signal("X", 12, "B", [0]),
    ]  # fmt: skip
    codec = compile_message(Message(1, "M", 2, signals, strict=False))
    assert codec.decode(bytes([0, 0x21])) == {"A": 0, "B": 0, "X": 1, "X (2)": 2}


def test_a_signal_that_nothing_selects_is_left_out() -> None:
    """Its multiplexer is not there, is no multiplexer, is below itself, or has no number for it."""
    signals = [
        signal("A", 0, is_multiplexer=True), signal("X", 4, "Gone", [0]), signal("Y", 4, "A", []),
        signal("B", 8, "C", [0], is_multiplexer=True), signal("C", 12, "B", [0], is_multiplexer=True),
    ]  # fmt: skip
    codec = compile_message(Message(1, "M", 2, signals, strict=False))
    assert codec.left_out.keys() == {"X", "Y", "B", "C"}
    assert codec.left_out["X"] == "no number of a multiplexer Gone selects it"


def test_ranges_of_pages_stay_ranges(tmp_path: Path) -> None:
    """Of a 32-bit multiplexer too: two layouts, not four thousand million."""
    text = """VERSION ""
BU_: ECU
BO_ 100 M: 8 ECU
 SG_ Mux M : 0|32@1+ (1,0) [0|0] "" X
 SG_ A m0 : 32|8@1+ (1,0) [0|0] "" X
 SG_ B m5 : 40|8@1+ (1,0) [0|0] "" X
SG_MUL_VAL_ 100 A Mux 0-4294967295;
SG_MUL_VAL_ 100 B Mux 5-7, 9-65535;
"""
    codec, warnings = compiled(tmp_path, text, "M")
    codec.prepare()
    for number in (0, 4, 5, 7, 8, 9, 65_535, 65_536, 0xFFFFFFFF):
        found = codec.decode(number.to_bytes(4, "little") + b"\1\2\0\0")
        has = 5 <= number <= 7 or 9 <= number <= 65_535
        assert found == {"Mux": number, "A": 1} | ({"B": 2} if has else {})
    assert warnings == []


def test_too_many_combinations_of_pages_are_refused() -> None:
    """Where the bench moves all multiplexers; what is received is read nevertheless."""
    names = "ABCDEFGHIJ"
    signals = [signal(name, 4 * place, is_multiplexer=True) for place, name in enumerate(names)]
    signals += [signal(f"{name}{page}", 60, name, [page]) for name in names for page in range(16)]
    codec = compile_message(Message(1, "M", 8, signals, strict=False))
    codec.prepare()
    assert codec.decode(bytes(8))["A"] == 0
    rows = assign(codec, {name: SignalMap.model_validate("vehicle.EngineRpm") for name in names}, ())
    with pytest.raises(ConfigurationError, match=f"M has more than {MOST_PATHS} combinations of pages"):
        codec.bus_encoder(sources_of(rows))
