"""`hilbridge check` tells the plan of a bench without opening anything."""

import json
import re
from pathlib import Path

import pytest

from hilbridge.commands import cli

TWO_BUSES = """
name: two
vehicle: compact
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
  cluster:
    interface: socketcan
    channel: can77
    bitrate: 125000
    database: powertrain.dbc
    messages:
      TripData: {period: 200}
      EngineData2:
        signals:
          EnginePower: {constant: 90}
          EngineFuelRate: {from: vehicle.EngineFuelRate, substitute: 0}
"""


def report(bench: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert cli.main(["check", bench, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert isinstance(content, dict)
    return content


def test_the_demo_bench_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Every frame with identifier, length, period and terminals; every signal with its source; the inputs."""
    assert cli.main(["check", "demo"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "100 EngineData1 8 every 10 ms 0 ms 30" in text
    assert "Speed by name vehicle.Speed in km/h" in text
    assert "cyclic frames in the busiest tick, on all buses together: 1" in text
    assert "input powertrain.DriverInputs" in text


UNIT = """
name: unit
vehicle: compact
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
diagnostics:
  units:
    battery:
      bus: powertrain
      addresses: [{request: 0x7A0, answer: 0x7A8}]
      obd: {role: transmission, pids: {"C3": {Mine: {constant: 5, length: 1}}}}
      uds:
        identifiers:
          "0101": {fields: {High: {constant: 1, bits: 4}, Low: {expression: vehicle.Speed, bits: 12}}, length: 3}
          "0102": {data: "00 01", stored: true}
"""


def test_a_control_unit_with_what_its_answers_carry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each field of a PID and an identifier with its first byte and bit, and its width."""
    bench = tmp_path / "unit.yaml"
    bench.write_text(UNIT)
    assert cli.main(["check", str(bench), "--verbose"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "control units battery bus powertrain 7A0 -> 7A8" in text
    assert "01 C3 1 byte: Mine 0.7, 8 bit" in text
    assert "22 0101 3 bytes: High 0.7, 4 bit; Low 0.3, 12 bit" in text
    assert "22 0102 2 bytes, stored" in text


def test_what_a_template_has_of_an_engine_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine's unit in an electric car answers less than its file says; in a car with an engine, all of it."""
    bench = tmp_path / "unit.yaml"
    text = "name: u\nvehicle: CAR\nbuses: {a: {interface: embedded}}\n"
    text += "diagnostics: {units: {engine: {unit: engine, bus: a}}}\n"
    bench.write_text(text.replace("CAR", "leaf-ze1"))
    assert cli.main(["check", str(bench)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    found = re.search(r"engine leaves out (\d+) PIDs of an engine that is not there: ([0-9A-F, ]+)", told)
    assert found is not None, told
    pids = [pid.strip() for pid in found[2].split(",")]
    assert {"10", "0B"} <= set(pids)
    assert "0D" not in pids
    assert len(pids) == int(found[1])
    assert cli.main(["check", str(bench), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pids_without_engine"] == {"engine": pids}
    bench.write_text(text.replace("CAR", "compact"))
    assert cli.main(["check", str(bench)]) == 0
    assert "leaves out" not in capsys.readouterr().out


def test_two_buses_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bus's own periods, constants and mappings; the load of the worst case of both; no interface is opened."""
    bench = tmp_path / "two.yaml"
    bench.write_text(TWO_BUSES)
    buses = {bus["bus"]: bus for bus in report(str(bench), capsys)["buses"]}  # type: ignore[attr-defined]  # JSON
    assert len(buses["powertrain"]["frames"]) == 6
    trip, engine = sorted(buses["cluster"]["frames"], key=lambda frame: -frame["identifier"])
    assert (trip["identifier"], trip["period"], trip["length"]) == (0x140, 200.0, 2)
    assert engine["signals"]["EnginePower"] == {"origin": "constant", "source": "90", "raw": 900}
    assert engine["signals"]["EngineFuelRate"]["origin"] == "mapped"
    # Worst case of an 11-bit data frame of n bytes with stuffing (Davis, Burns and others 2007): 55 + 10 n bits.
    assert buses["cluster"]["load"] == pytest.approx(100 * (75 / 125_000 / 0.2 + 95 / 125_000 / 0.02))


EVERYTHING = """
name: all
vehicle: compact
buses:
  powertrain:
    interface: embedded
    database: powertrain.dbc
    messages:
      EngineData1:
        send: cyclic-and-on-change
        minimum_delay: 5
        repetitions: 2
        repetition_period: 3
        terminals: [15, run]
        wake_up: true
        after_run: 500
        feeds: [rev counter, economy]
        darkens: [engine]
        signals:
          EngineStalled: {from: vehicle.EngineStalled, bulb_check: 3000}
      EngineData2: {send: event}
"""


def test_everything_that_a_frame_can_have_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, and for programs; a period that is not the database's is worth a warning."""
    bench = tmp_path / "all.yaml"
    bench.write_text(EVERYTHING.replace("minimum_delay", "period: 20\n        minimum_delay"))
    assert cli.main(["check", str(bench)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for words in (
        "every 20 ms and on change",
        "2 repetitions every 3 ms",
        "15 or run",
        "500 ms after-run",
        "at rest: rev counter, economy; lit: engine",
        "on events",
    ):
        assert all(word in text for word in words.split())
    assert "warning: EngineData1: goes every 20 ms, the database says 10 ms" in text
    content = report(str(bench), capsys)
    assert content["busiest_tick"] == 1
    engine = content["buses"][0]["frames"][0]  # type: ignore[index]  # JSON
    assert (engine["send"], engine["minimum_delay"], engine["terminals"]) == (
        "cyclic-and-on-change",
        5.0,
        ["15", "run"],
    )
    assert (engine["wake_up"], engine["bulb_check"]) == (True, 3000.0)
    assert (engine["feeds"], engine["darkens"]) == (["rev counter", "economy"], ["engine"])


PEDALS = """VERSION ""

BU_: ME

BO_ 256 Pedals: 8 ME
 SG_ Accelerator : 0|8@1+ (1,0) [0|100] "" ME
"""

PEDAL_BENCH = """
name: pedals
vehicle: car.yaml
buses:
  a:
    interface: embedded
    database: pedal.dbc
    messages:
      Pedals: {period: 10, signals: {Accelerator: input.Throttle}}
"""


def test_what_may_not_be_meant_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ratio in a signal that counts to 100 without a unit, and an engine that no vehicle has."""
    (tmp_path / "pedal.dbc").write_text(PEDALS)
    (tmp_path / "car.yaml").write_text("name: car\nengine:\n  max_fuel_per_rev: 0.05\n")
    bench = tmp_path / "bench.yaml"
    bench.write_text(PEDAL_BENCH)
    assert cli.main(["check", str(bench), "--json"]) == 0
    ratio, engine = json.loads(capsys.readouterr().out)["warnings"]
    assert ratio.startswith(f"{bench}:9: buses.a.messages.Pedals.signals.Accelerator: input.Throttle is a ratio")
    assert engine.startswith(f"{tmp_path}/car.yaml:3: engine.max_fuel_per_rev: the best consumption is 150 g/kWh")


COMMUNITY = """VERSION ""

BU_: ME

""" + "".join(
    f'BO_ {number} Message{number}: 8 ME\n SG_ Value : 0|8@1+ (1,0) [0|255] "" ME\n\n' for number in range(256, 356)
)

COMMUNITY_BENCH = """
name: community
vehicle: compact
buses:
  a:
    interface: embedded
    bitrate: 100000
    database: community.dbc
    transmit: [ME]
    messages:
      Message256: {period: 10}
"""


def test_what_is_not_sent_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A community database has no cycle times; --verbose names each message. Nothing wraps where no terminal is."""
    (tmp_path / "community.dbc").write_text(COMMUNITY)
    bench = tmp_path / "bench.yaml"
    bench.write_text(COMMUNITY_BENCH)
    assert cli.main(["check", str(bench)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 25
    (line,) = (one for one in lines if "not sent" in one)
    assert "99 messages (Message257, Message258, " in line
    assert "it has no period" in line
    assert cli.main(["check", str(bench), "--verbose"]) == 0
    assert capsys.readouterr().out.count("not sent: Message") == 99


def test_the_load_of_an_embedded_bus_is_known_by_its_bit_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """135 bits of 8 bytes at worst (Davis, Burns and others 2007), every 10 ms at 100 kbit/s."""
    (tmp_path / "community.dbc").write_text(COMMUNITY)
    bench = tmp_path / "bench.yaml"
    bench.write_text(COMMUNITY_BENCH)
    assert report(str(bench), capsys)["buses"][0]["load"] == pytest.approx(13.5)  # type: ignore[index]  # JSON


def test_a_wrong_bench_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = tmp_path / "two.yaml"
    bench.write_text(TWO_BUSES.replace("TripData", "TripDate"))
    assert cli.main(["check", str(bench)]) == 2
    assert f"{bench}:12: buses.cluster.messages.TripDate: " in capsys.readouterr().err


UNKNOWN = """
name: unknown
vehicle: compact
buses:
  a:
    interface: embedded
    database: powertrain.dbc
    transmit: [HILBRIGE]
    messages:
      EngineDate1: {}
      EngineData1:
        signals:
          EngineRmp: vehicle.EngineRpm
          EngineRpm: vehicle.EngineRmp
          EngineLoad: {expression: "vehicle.Lood"}
  b:
    interface: embedded
    database: powertrain.dbc
    messages: {TripDate: {}}
"""


def test_all_unknown_names_of_a_file_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nodes, messages, signals and entries, on all buses."""
    bench = tmp_path / "bench.yaml"
    bench.write_text(UNKNOWN)
    assert cli.main(["check", str(bench)]) == 2
    lines = [line.removeprefix(f"{bench}:").partition(":")[0] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["8", "10", "13", "14", "15", "19"]


SHAPES = """name: shapes
vehicle: compact
buses:
  a:
    interface: embedded
    raw:
      Tank:
        id: 1
        data: "00 00 00 00"
        period: 10
        signals:
          Level: {bit: 0, width: 8, from: auxiliary.FuelShare, slew: 2}
          Other: {bit: 8, width: 8, from: auxiliary.FuelShare, table: [[0, 1], [0.5, 7], [1, 9]]}
          Page: {bit: 16, width: 8, in_turn: [0, 1]}
          Paged: {bit: 24, width: 8, page: 1, constant: 3}
      Messages:
        id: 2
        data: "00 00"
        signals: {Code: {bit: 0, width: 8, constant: 0}}
        events:
          code: Code
          slot: 100
          repeat: 200
          list:
            hot: {code: 1, when: auxiliary.CoolantTemperature > 118}
            door: {code: 2, when: body.DoorFrontLeft}
"""


def test_shapes_and_events_of_signals_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, with the condition of each event."""
    bench = tmp_path / "shapes.yaml"
    bench.write_text(SHAPES)
    assert cli.main(["check", str(bench)]) == 0
    text = capsys.readouterr().out
    for words in ("by 2 a second at most", "by a table of 3 points", "0, 1 in turn", "event 2", "body.DoorFrontLeft"):
        assert words in text
    assert "events, 100 ms apart at least, each again after 200 ms" in " ".join(text.split())


@pytest.mark.parametrize(
    ("right", "wrong", "line", "reason"),
    [
        ("slew: 2", "slew: 0", 12, "must be above 0"),
        ("slew: 2", "slew: {up: 1, down: -3}", 12, "down: must be"),
        ("[0.5, 7], [1, 9]", "[1, 7], [0.5, 9]", 13, "the first numbers ascending"),
        ("in_turn: [0, 1]", "constant: 0", 15, "needs one signal with 'in_turn'"),
        ("in_turn: [0, 1]", "in_turn: [0, 2]", 15, "Page has no 1 'in_turn'"),
        ("repeat: 200", "repeat: 150", 24, "2 events take 200 ms"),
        ("code: 2", "code: 1", 26, "has the code of hot"),
        ("body.DoorFrontLeft", "body.DoorFront", 26, "no data bus entry|unknown data bus entry"),
        ("code: Code", "code: Cod", 21, "did you mean Code"),
        ("vehicle: compact", "vehicle: compact\nclock: tomorrow", 3, "is no local date and time"),
    ],
)
def test_a_wrong_shape_is_told_with_its_line(
    right: str, wrong: str, line: int, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Limits, tables, pages, events, the date: the line where the wrong key stands, and what is wrong with it."""
    bench = tmp_path / "shapes.yaml"
    assert SHAPES.count(right) == 1
    bench.write_text(SHAPES.replace(right, wrong))
    assert cli.main(["check", str(bench)]) == 2
    said = capsys.readouterr().err
    assert re.search(rf"{re.escape(str(bench))}:{line}: .*({reason})", said), said


MISTAKES = """\
name: mistakes
vehicle: compact
buses:
  one:
    interface: embedded
    database: powertrain.dbc
    messages:
      TripData: {period: 200, signals: {Odometr: {constant: 1}}}
      EngineData1: {signals: {EngineRpm: {from: vehicle.EngineRpm, unit: kg}}, protection: [{counter: {at: Nowhere}}]}
      EngineData9: {}
    raw:
      Plain: {id: 0x700, data: "00", period: 10, signals: {A: {bit: 0, width: 8, from: vehicle.Sped}}}
      Other: {id: 0x701, data: "00"}
  two:
    interface: embedded
    database: powertrain.dbc
    transmit: [NOBODY]
inputs:
  - {source: can, bus: one, message: DriverInputs, signals: {Throttle: {field: Throtle}, Brake: {field: Break}}}
  - {source: can, bus: two, message: DriverInput, signals: {Clutch: {}}}
"""


def test_all_names_and_units_that_are_wrong_are_told_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each bus, message, raw frame and input, by line."""
    bench = tmp_path / "mistakes.yaml"
    bench.write_text(MISTAKES)
    assert cli.main(["check", str(bench)]) == 2
    said = capsys.readouterr().err
    wrong = re.findall(rf"{re.escape(str(bench))}:(\d+): (\S+): ", said)
    assert wrong == [
        ("8", "buses.one.messages.TripData.signals.Odometr"),
        ("9", "buses.one.messages.EngineData1.protection[0].counter.at"),
        ("9", "buses.one.messages.EngineData1.signals.EngineRpm.unit"),
        ("10", "buses.one.messages.EngineData9"),
        ("12", "buses.one.raw.Plain.signals.A.from"),
        ("13", "buses.one.raw.Other"),
        ("17", "buses.two.transmit[0]"),
        ("19", "inputs[0].signals.Brake"),
        ("19", "inputs[0].signals.Throttle"),
        ("20", "inputs[1].message"),
    ]


@pytest.mark.parametrize(
    ("place", "is_doubtful"),
    [
        ("bit: 7, width: 16", True),
        ("bit: 23, width: 8", True),
        ("bit: 7, width: 16, order: big", False),
        ("bit: 7, width: 1", False),
        ("bit: 8, width: 16", False),
    ],
)
def test_a_place_that_looks_like_motorolas_and_is_read_as_intels_is_worth_a_warning(
    place: str, is_doubtful: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A start bit at the top of a byte is what a DBC file has of a number whose high byte goes first."""
    bench = tmp_path / "bench.yaml"
    signal = f"{{{place}, from: vehicle.EngineRpm}}"
    frame = f"{{id: 1, data: '00 00 00 00', period: 10, signals: {{Speed: {signal}}}}}"
    bus = f"{{interface: embedded, raw: {{One: {frame}}}}}"
    bench.write_text(f"name: a\nvehicle: compact\nbuses: {{c: {bus}}}\n", encoding="utf-8")
    assert cli.main(["check", str(bench)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert ("Speed begins at the top bit of a byte" in text) == is_doubtful
