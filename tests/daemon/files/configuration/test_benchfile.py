"""A bench file and what it names: all errors at once, each with file and line, never anything but an error."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem
from hilbridge.files.configuration.benchfile import codes_schema, load_bench, load_codes
from hilbridge.files.configuration.changes import Changes

BENCH = """\
name: test
rate: 100
vehicle: ./car.yaml

buses:
  powertrain:
    interface: embedded
    slcan: 0
    database: ./car.dbc
    transmit: [HILBRIDGE]
    messages:
      EngineData1:
        period: 10
        signals: {EngineSpeed: vehicle.EngineRpm}
  other:
    interface: socketcan
    channel: can0

inputs:
  - source: can
    bus: powertrain
    message: DriverInputs
    signals: {Throttle: {}}
  - source: serial
    port: /dev/ttyACM0
    signals: {Brake: {minimum: 0, maximum: 1023, safe: hold}}
  - source: demo-driver

diagnostics:
  units: {engine: {unit: engine, bus: powertrain}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bench, a vehicle and a database that fit together."""
    return make(tmp_path)


def make(folder: Path) -> Path:
    (folder / "car.yaml").write_text("name: car\nengine:\n  max_rpm: 6500\n")
    (folder / "car.dbc").touch()
    (folder / "bench.yaml").write_text(BENCH)
    return folder


def refusals(folder: Path) -> list[str]:
    """The error lines of the folder's bench, with the names of the files only."""
    with pytest.raises(InvalidFileError) as caught:
        load_bench(f"{folder}/bench.yaml")
    return [line.removeprefix(f"{folder}/") for line in str(caught.value).splitlines()]


def change(file: Path, *replacements: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text)


def test_a_good_bench_gives_its_settings_its_vehicle_and_the_files_it_names(folder: Path) -> None:
    """Everything that is needed to build it."""
    bench = load_bench(f"{folder}/bench.yaml")
    assert bench.path == folder / "bench.yaml"
    assert bench.settings.period == 10_000_000
    assert (
        bench.settings.buses["powertrain"].messages["EngineData1"].signals["EngineSpeed"].source == "vehicle.EngineRpm"
    )
    assert [source.source for source in bench.settings.inputs] == ["can", "serial", "demo-driver"]
    assert bench.vehicle.settings.name == "car"
    assert bench.vehicle.path == folder / "car.yaml"
    assert bench.databases == {"powertrain": (folder / "car.dbc",)}


def test_all_errors_of_the_bench_and_its_vehicle_are_told_at_once(folder: Path) -> None:
    """Nobody wants to start a program ten times to find ten typing errors."""
    change(
        folder / "bench.yaml",
        ("rate: 100", "rate: fast"),
        ("slcan: 0", "slcn: 0"),
        ("  - source: demo-driver", "  - {}"),
    )
    change(folder / "car.yaml", ("max_rpm: 6500", "max_rmp: 6500"))
    assert refusals(folder) == [
        "bench.yaml:2: rate: needs a whole number, found the text 'fast'",
        "bench.yaml:8: buses.powertrain.slcn: unknown key; did you mean 'slcan'?",
        "bench.yaml:27: inputs[2].source: is missing: one of board, can, demo-driver, evdev, serial, udp",
        "car.yaml:3: engine.max_rmp: unknown key; did you mean 'max_rpm'?",
    ]


def test_what_does_not_fit_together_is_told_with_its_lines(folder: Path) -> None:
    """Several settings that are right by themselves."""
    change(folder / "bench.yaml", ("rate: 100", "rate: 50"), ("    bus: powertrain\n", "    bus: powertran\n"))
    period = "10 ms is no multiple of the tick (20 ms at 50 Hz); nearest: 20 ms"
    assert refusals(folder) == [
        f"bench.yaml:13: buses.powertrain.messages.EngineData1.period: {period}",
        "bench.yaml:21: inputs[0].bus: there is no bus 'powertran'; did you mean 'powertrain'?",
        "bench.yaml:30: diagnostics.units.engine: diagnostics need a rate of 100 Hz or more, but 'rate' is 50",
    ]


def test_a_vehicle_or_database_that_is_missing_is_told_where_it_is_named(folder: Path) -> None:
    """With the places that were searched."""
    change(folder / "bench.yaml", ("./car.yaml", "./bike.yaml"), ("./car.dbc", "./bike.dbc"))
    here = f"looked in {folder}, the working directory"
    vehicle, database = refusals(folder)
    assert vehicle.startswith("bench.yaml:3: vehicle: no vehicle './bike.yaml'")
    assert database.startswith("bench.yaml:9: buses.powertrain.database: no database './bike.dbc'")
    assert vehicle.endswith(here)
    assert database.endswith(here)


def test_a_bench_that_is_missing_is_told(folder: Path) -> None:
    """It has no line."""
    with pytest.raises(ConfigurationError, match=r"no bench .*nothing\.yaml"):
        load_bench(f"{folder}/nothing.yaml")


def test_an_error_of_another_part_gets_its_line(folder: Path) -> None:
    """Whatever finds fault with a setting later names the key path; the bench knows the line."""
    bench = load_bench(f"{folder}/bench.yaml")
    late = ConfigurationError("no such signal", ("buses", "powertrain", "messages", "EngineData1", "signals", "X"))
    assert str(bench.locate(late)) == (
        f"{folder}/bench.yaml:14: buses.powertrain.messages.EngineData1.signals.X: no such signal"
    )
    for error in (bench.locate(late), ConfigurationError("no room for a recording")):
        assert bench.locate(error) is error


def test_a_bench_may_be_altered_without_its_file(folder: Path) -> None:
    """Settings and data agree, the bench it was made from stays as it is."""
    bench = load_bench(str(folder / "bench.yaml"))
    other = bench.altered(seed=77)
    assert (other.settings.seed, other.file.data["seed"]) == (77, 77)
    assert bench.settings.seed != 77
    assert bench.file.data.get("seed") != 77


def test_a_bench_has_another_vehicle_as_if_it_were_read_again(folder: Path) -> None:
    """With the same settings, and the same words about a value that cannot be."""
    name = f"{folder}/bench.yaml"
    bench, good, bad = load_bench(name), {"body.mass": 1234.0}, {"body.mass": -5.0, "name": 7}
    other, again = bench.with_vehicle(good), load_bench(name, Changes({}, good, {}))
    assert (other.settings, other.vehicle.settings) == (again.settings, again.vehicle.settings)
    assert bench.vehicle.settings.body.mass != other.vehicle.settings.body.mass == 1234.0
    with pytest.raises(InvalidFileError) as one:
        bench.with_vehicle(bad)
    with pytest.raises(InvalidFileError) as whole:
        load_bench(name, Changes({}, bad, {}))
    assert str(one.value) == str(whole.value)


def test_a_bench_without_its_demo_driver() -> None:
    """The other inputs stay."""
    demo = load_bench("demo")
    inputs = demo.without_demo_driver().settings.inputs
    assert [one.source for one in demo.settings.inputs] == [*(one.source for one in inputs), "demo-driver"]


def test_python_objects_do_not_come_out_of_a_file(folder: Path) -> None:
    """Values are never coerced: text is no number, 1 is not true."""
    change(folder / "bench.yaml", ("slcan: 0", "fd: 1"))
    assert refusals(folder) == ["bench.yaml:8: buses.powertrain.fd: needs true or false, found the number 1"]


# -- anything at all ------------------------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "can",
            "serial",
            "demo-driver",
            "embedded",
            "socketcan",
            "hold",
            "vehicle.Speed",
            "powertrain",
            "source",
            "0x10",
        ]
    )
)
KEYS = st.sampled_from(
    ["name", "rate", "vehicle", "buses", "inputs", "source", "signals", "period", "from", "safe", "units", "interface"]
) | st.text(max_size=5)
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))


def places(tree: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every key path of a tree."""
    steps = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [place, *(each for key, value in steps for each in places(value, (*place, key)))]


def replaced(tree: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    tree = copy.copy(tree)
    tree[place[0]] = replaced(tree[place[0]], place[1:], value)
    return tree


def problems(folder: Path) -> tuple[Problem, ...]:
    try:
        load_bench(f"{folder}/bench.yaml")
    except InvalidFileError as error:
        return error.problems
    return ()


def load_or_refuse(folder: Path, tree: Any) -> None:
    """Loads the tree as a bench; an error must be reported line by line, with lines that the file has."""
    text = yaml.safe_dump(tree)
    (folder / "bench.yaml").write_text(text)
    for problem in problems(folder):
        assert 1 <= problem.line <= text.count("\n") + 1
        assert b"\n" not in str(problem).encode()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(tree=TREES)
@example(tree={"source": "source"})
def test_any_tree_is_a_bench_or_a_configuration_error(tmp_path_factory: pytest.TempPathFactory, tree: Any) -> None:
    """Whatever the file holds, nothing but a ConfigurationError comes out."""
    load_or_refuse(make(tmp_path_factory.getbasetemp()), tree)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), value=TREES)
def test_any_value_in_any_place_is_a_bench_or_a_configuration_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, value: Any
) -> None:
    """A good bench with one value replaced: the deepest settings meet every kind of value too."""
    folder = make(tmp_path_factory.getbasetemp())
    tree = yaml.safe_load(BENCH)
    place = data.draw(st.sampled_from(places(tree)))
    load_or_refuse(folder, replaced(tree, place, value))


SHIPPED = Path(__file__).parents[4] / "config" / "codes.yaml"


def complaint(tmp_path: Path, text: str) -> str:
    file = tmp_path / "codes.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFileError) as error:
        load_codes(file)
    return str(error.value).replace(f"{tmp_path}/", "")


def test_the_shipped_file_is_good() -> None:
    settings = load_codes(SHIPPED)
    assert {"P0171", "P0217", "P0300", "P0301", "P0562", "P0563", "P2135"} <= set(settings.codes)
    assert all(monitor.code in settings.codes for monitor in settings.monitors.values())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("codes:\n  P9301: {text: misfire}\n", "codes.yaml:2: codes.P9301"),
        ("codes:\n  P0301: {text: misfire, trips: 3}\n", "codes.yaml:2: codes.P0301.trips"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0302, value: '1', maximum: 0}\n", "codes.yaml:4"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0301, maximum: 0}\n", "codes.yaml:4"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0301, value: '1'}\n", "codes.yaml:4"),
        ("codes: {}\ncode: 1\n", "codes.yaml:2: code"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, line: str) -> None:
    assert complaint(tmp_path, text).startswith(line)


def test_a_file_of_codes_is_checked_once_while_its_text_stays(tmp_path: Path) -> None:
    """Another text in its place is read, and told if it is wrong."""
    file = tmp_path / "codes.yaml"
    file.write_text(SHIPPED.read_text(encoding="utf-8"), encoding="utf-8")
    settings = load_codes(file)
    assert load_codes(file) is settings
    assert "unknown" in complaint(tmp_path, "unknown: 1\n")


def test_two_monitors_of_a_code_are_refused(tmp_path: Path) -> None:
    """The one would pass what the other one failed."""
    text = "codes:\n  P0301: {text: misfire}\nmonitors:\n"
    text += "".join(f"  {name}: {{code: P0301, value: '1', maximum: 0}}\n" for name in ("one", "two"))
    assert "found by one already" in complaint(tmp_path, text)


def test_two_tests_in_the_same_place_are_refused(tmp_path: Path) -> None:
    text = "codes:\n  P0301: {text: a}\n  P0302: {text: b}\nmonitors:\n"
    for name, code in (("one", "P0301"), ("two", "P0302")):
        place = "result: {monitor: 0xA1, test: 0x80, unit: 0x24}"
        text += f"  {name}: {{code: {code}, value: '1', maximum: 0, {place}}}\n"
    assert "the same test as one" in complaint(tmp_path, text)


def test_there_is_a_schema() -> None:
    assert set(codes_schema()["properties"]) == {
        "codes",
        "monitors",
        "snapshots",
        "extended_data",
        "readiness_groups",
    }


def test_a_seed_that_is_known_to_be_one_is_put_in_as_any_value() -> None:
    file = load_bench("demo")
    one, other = file.seeded(7), file.altered(seed=7)
    assert (one.settings, one.file.data) == (other.settings, other.file.data)
    assert file.settings.seed != 7
