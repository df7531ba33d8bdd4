"""Which messages of a bus are sent, as what, and what prevents others."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import BusSettings
from hilbridge.frames.codec.database import Database, load_database
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD
from hilbridge.frames.plan.selection import Selection, select
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus

TICK = 1_000_000

DBC = """VERSION ""

BU_: ENGINE BRAKES SILENT

BO_ 256 Fast: 8 ENGINE
 SG_ EngineRpm : 0|16@1+ (0.25,0) [0|16000] "rpm" BRAKES

BO_ 128 Slow: 2 ENGINE
 SG_ A : 0|8@1+ (1,0) [0|255] "" BRAKES

BO_ 512 Never: 1 ENGINE
 SG_ B : 0|8@1+ (1,0) [0|255] "" BRAKES

BO_ 2147484160 Long: 1 BRAKES
 SG_ C : 0|8@1+ (1,0) [0|255] "" ENGINE

BO_ 768 Large: 10 BRAKES
 SG_ D : 72|8@1+ (1,0) [0|255] "" ENGINE

BA_DEF_ "Baudrate" INT 0 1000000;
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "CANFD_BRS" ENUM "0","1";
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_DEF_DEF_ "CANFD_BRS" "1";
BA_DEF_DEF_ "VFrameFormat" "StandardCAN";
BA_ "Baudrate" 500000;
BA_ "GenMsgCycleTime" BO_ 256 10;
BA_ "GenMsgCycleTime" BO_ 128 100;
BA_ "GenMsgCycleTime" BO_ 2147484160 100;
BA_ "GenMsgCycleTime" BO_ 768 100;
"""


def database(folder: Path, content: str = DBC) -> Database:
    path = folder / "example.dbc"
    path.write_text(content)
    return load_database(path)


def selected(data: Database, tick: int = TICK, **further: Any) -> Selection:
    settings = BusSettings.model_validate({"interface": "embedded", "database": "example.dbc", **further})
    return select("a", settings, data, tick)


def test_a_node_s_cyclic_messages_are_sent_and_the_others_listed(tmp_path: Path) -> None:
    """By identifier, with the period of the database; without a period there is nothing to send."""
    found = selected(database(tmp_path), transmit=["ENGINE"])
    assert [(frame.message, frame.can_id, frame.sending.period) for frame in found.outgoing] == [
        ("Slow", 128, 100_000_000),
        ("Fast", 256, 10_000_000),
    ]
    assert found.not_sent == {
        "Never": "it has no period, neither in the database (GenMsgCycleTime) nor in the bench file ('period')"
    }


def test_a_named_message_is_sent_too_with_its_own_period_and_signals(tmp_path: Path) -> None:
    """The bench file's period goes before the database's."""
    messages = {"Never": {"period": 20, "signals": {"B": {"constant": 3}}}, "Fast": {"period": 5}}
    found = selected(database(tmp_path), messages=messages)
    assert [(frame.message, frame.sending.period) for frame in found.outgoing] == [
        ("Fast", 5_000_000),
        ("Never", 20_000_000),
    ]
    assert found.outgoing[1].encode(DataBus().channels) == b"\x03"


def test_frames_are_encoded_from_the_data_bus(tmp_path: Path) -> None:
    """1,000 rpm in quarters, and nothing in the other bytes."""
    bus = DataBus()
    bus.vehicle[VehicleData.ENGINE_RPM] = 1_000_000
    fast = selected(database(tmp_path), transmit=["ENGINE"]).outgoing[1]
    assert fast.encode(bus.channels) == bytes.fromhex("a00f 0000 0000 0000")


def test_j1939_fills_what_it_does_not_use_with_ones(tmp_path: Path) -> None:
    """Unused bits and signals without a source mean "not available" there."""
    content = DBC.replace('DEF_ "VFrameFormat" "StandardCAN"', 'DEF_ "VFrameFormat" "J1939PG"')
    slow = selected(database(tmp_path, content), transmit=["ENGINE"]).outgoing[0]
    assert slow.encode(DataBus().channels) == b"\xff\xff"


def test_fd_frames_have_lengths_that_can_fd_knows(tmp_path: Path) -> None:
    """10 bytes travel as 12; the bit rate switches unless the database says no. 29-bit identifiers are marked."""
    found = selected(database(tmp_path), transmit=["BRAKES"], fd=True)
    large, long = found.outgoing
    assert (large.message, large.length, large.flags) == ("Large", 12, FD | BRS)
    assert len(large.encode(DataBus().channels)) == 12
    assert (long.message, long.can_id, long.flags) == ("Long", 512 | EXTENDED, 0)
    constant = DBC + 'BA_ "CANFD_BRS" BO_ 768 0;\n'
    assert selected(database(tmp_path, constant), transmit=["BRAKES"], fd=True).outgoing[0].flags == FD
    text = constant.replace('"CANFD_BRS" ENUM "0","1"', '"CANFD_BRS" STRING ').replace("768 0;", '768 "maybe";')
    assert selected(database(tmp_path, text), transmit=["BRAKES"], fd=True).outgoing[0].flags == FD | BRS


MARKED = (
    DBC.replace(
        '"StandardCAN","ExtendedCAN","reserved"', '"StandardCAN","ExtendedCAN",' + '"-",' * 12 + '"StandardCAN_FD"'
    ).replace(',"J1939PG"', "")
    + 'BA_ "VFrameFormat" BO_ 256 14;\nBA_ "VFrameFormat" BO_ 128 14;\n'
)
"""Fast and Slow are marked as CAN FD."""


def test_what_fits_goes_on_a_classic_bus_though_the_database_marks_it_as_fd(tmp_path: Path) -> None:
    """As Ford's databases do, whose cars have no CAN FD; one warning names them, `fd: false` of a message says so."""
    found = selected(database(tmp_path, MARKED), transmit=["ENGINE"])
    assert [frame.flags for frame in found.outgoing] == [0, 0]
    (doubt,) = found.warnings
    assert "sends 2 messages of CAN FD by the database (Slow, Fast) as classic frames" in doubt.message
    meant = {"Slow": {"fd": False}, "Fast": {"fd": False}}
    assert selected(database(tmp_path, MARKED), messages=meant).warnings == ()


def test_fd_of_a_message_goes_before_the_database(tmp_path: Path) -> None:
    """Both ways, on a bus that takes both formats."""
    found = selected(
        database(tmp_path, MARKED), messages={"Slow": {"fd": False}, "Fast": {}, "Long": {"fd": True}}, fd=True
    )
    assert [(frame.message, frame.flags) for frame in found.outgoing] == [
        ("Slow", 0),
        ("Fast", FD | BRS),
        ("Long", FD | BRS),
    ]


@pytest.mark.parametrize(
    ("settings", "complaint", "place"),
    [
        (
            {"messages": {"Large": {"fd": False}}, "fd": True},
            "Large has 10 bytes: a classic frame holds 8",
            ("messages", "Large", "fd"),
        ),
        ({"messages": {"Fast": {"fd": True}}}, "the bus needs 'fd: true'", ("messages", "Fast")),
        (
            {"transmit": ["BRAKES"]},
            "Large is a CAN FD frame of 10 bytes: the bus needs 'fd: true'",
            ("messages", "Large"),
        ),
        ({"transmit": ["ENGIN"]}, r"unknown node .*did you mean ENGINE", ("transmit", 0)),
        ({"messages": {"Fats": {}}}, r"unknown message .*did you mean Fast", ("messages", "Fats")),
        ({"messages": {"Never": {}}}, "Never cannot be sent: it has no period", ("messages", "Never")),
        ({"messages": {"Fast": {"period": 2.5}}}, "nearest: 2 ms or 3 ms", ("messages", "Fast", "period")),
        (
            {"messages": {"Fast": {"signals": {"EngineRpn": {"constant": 1}}}}},
            "unknown signal",
            ("messages", "Fast", "signals", "EngineRpn"),
        ),
    ],
)
def test_errors_have_their_place(
    tmp_path: Path, settings: dict[str, Any], complaint: str, place: tuple[object, ...]
) -> None:
    """The key path inside the bench file."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        selected(database(tmp_path), **settings)
    assert raised.value.place == ("buses", "a", *place)


def test_a_period_of_the_database_must_fit_the_tick_too(tmp_path: Path) -> None:
    """At 40 Hz there is no 10 ms."""
    with pytest.raises(
        ConfigurationError, match=r"10 ms is no multiple of the tick \(25 ms at 40 Hz\); nearest: 25 ms"
    ):
        selected(database(tmp_path), tick=25_000_000, messages={"Fast": {}})


def test_two_messages_of_one_identifier_are_refused(tmp_path: Path) -> None:
    """One of them would be taken for the other."""
    with pytest.raises(ConfigurationError, match="Fast and Slow have the same identifier"):
        selected(database(tmp_path, DBC.replace("128 Slow", "256 Slow")), transmit=["ENGINE"])


def test_what_does_not_fit_into_a_message_is_left_out_of_it(tmp_path: Path) -> None:
    """The message goes without the signal; one that the bench file names is refused."""
    broken = database(tmp_path, DBC.replace("SG_ A : 0|8", "SG_ A : 12|8"))
    assert broken.warnings == ["example.dbc: signal A of Slow is left out: it does not fit into 2 bytes"]
    assert [frame.message for frame in selected(broken, transmit=["ENGINE"]).outgoing] == ["Slow", "Fast"]
    with pytest.raises(ConfigurationError, match=r"cannot be sent: it does not fit into 2 bytes"):
        selected(broken, messages={"Slow": {"signals": {"A": {"constant": 1}}}})


def test_of_signals_that_overlap_the_mapped_one_is_sent(tmp_path: Path) -> None:
    """The others of its bits are left out by name; two mapped ones are refused at the second."""
    content = DBC.replace(" SG_ A : 0|8@1+", ' SG_ Group : 0|16@1+ (1,0) [0|65535] "" BRAKES\n SG_ A : 0|8@1+')
    group = {"Group": {"constant": 0x0102}}
    (frame,) = selected(database(tmp_path, content), messages={"Slow": {"signals": group}}).outgoing
    assert frame.encode(DataBus().channels) == bytes([2, 1])
    assert [(row.signal, row.origin, row.text) for row in frame.assignments] == [
        ("Group", "constant", "258"),
        ("A", "left out", "shares bits with Group"),
    ]
    with pytest.raises(ConfigurationError, match="shares bits with A, which is mapped too") as raised:
        selected(database(tmp_path, content), messages={"Slow": {"signals": {**group, "A": {"constant": 1}}}})
    assert raised.value.place[-2:] == ("signals", "Group")


RANGED = DBC.replace('(1,0) [0|255] "" BRAKES\n\nBO_ 512', '(1,0) [0|1] "" BRAKES\n\nBO_ 512')
"""A of Slow goes from 0 to 1, on 8 bits."""


@pytest.mark.parametrize(
    ("bus", "message", "signal", "sent"),
    [
        ({}, {}, {}, 1),
        ({"range": "raw"}, {}, {}, 200),
        ({"range": "raw"}, {"range": "database"}, {}, 1),
        ({}, {"range": "raw"}, {}, 200),
        ({}, {"range": "raw"}, {"range": "database"}, 1),
        ({}, {}, {"range": "raw"}, 200),
    ],
)
def test_a_value_is_held_in_the_database_s_range_unless_the_bench_file_lifts_it(
    tmp_path: Path, bus: dict[str, Any], message: dict[str, Any], signal: dict[str, Any], sent: int
) -> None:
    """The key of the signal goes before that of the message, and that before the bus's."""
    maps = {"Slow": {**message, "signals": {"A": {"constant": 200, **signal}}}}
    (frame,) = selected(database(tmp_path, RANGED), messages=maps, **bus).outgoing
    assert frame.encode(DataBus().channels)[0] == sent
    assert (frame.assignments[0].warning is None) == (sent == 200)


def test_a_node_without_messages_is_worth_a_warning(tmp_path: Path) -> None:
    """It may be the wrong one."""
    (doubt,) = selected(database(tmp_path), transmit=["SILENT"]).warnings
    assert doubt.message == "node SILENT sends no message"


def test_the_bit_rate_of_the_bench_file_goes_before_the_database_s(tmp_path: Path) -> None:
    """And the data phase runs at the nominal rate unless an option names its own."""
    data = database(tmp_path)
    assert (selected(data).bitrate, selected(data).data_bitrate) == (500_000, 500_000)
    own: dict[str, Any] = {
        "interface": "socketcan",
        "channel": "can0",
        "bitrate": 250_000,
        "options": {"data_bitrate": 2_000_000},
    }
    assert (selected(data, **own).bitrate, selected(data, **own).data_bitrate) == (250_000, 2_000_000)


J1939 = """VERSION ""

BU_: ENGINE BRAKES

BO_ 2364540158 EEC1: 8 ENGINE
 SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" BRAKES

BO_ 2565865982 EBC1: 8 BRAKES
 SG_ BrakePedalPosition : 8|8@1+ (0.4,0) [0|100] "%" ENGINE

BO_ 256 Plain: 1 ENGINE
 SG_ A : 0|8@1+ (1,0) [0|255] "" BRAKES

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "GenMsgCycleTime" 20;
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
BA_ "VFrameFormat" BO_ 256 0;
"""


@pytest.mark.parametrize(
    ("addresses", "identifiers"),
    [
        (None, [0x100, 0x0CF004FE, 0x18F001FE]),
        (0x21, [0x100, 0x0CF00421, 0x18F00121]),
        ({"BRAKES": 0x0B}, [0x100, 0x0CF004FE, 0x18F0010B]),
    ],
)
def test_j1939_frames_carry_the_source_address_of_the_bench_file(
    tmp_path: Path, addresses: Any, identifiers: list[int]
) -> None:
    """In place of the database's placeholder FE; other frames have no source address."""
    found = selected(database(tmp_path, J1939), transmit=["ENGINE", "BRAKES"], source_address=addresses)
    assert [frame.can_id & ~EXTENDED for frame in found.outgoing] == identifiers
    assert {frame.node for frame in found.outgoing} == {"ENGINE", "BRAKES"}


def test_a_source_address_of_a_node_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="did you mean BRAKES") as error:
        selected(database(tmp_path, J1939), source_address={"BRAKE": 1})
    assert error.value.place == ("buses", "a", "source_address", "BRAKE")
