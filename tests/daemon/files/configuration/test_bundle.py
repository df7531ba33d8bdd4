"""A bench with everything that its files name, in one folder."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH, bundle, dumped
from hilbridge.files.configuration.yamlfile import YamlFile

TEXT = """
name: bundled
vehicle: {vehicle}
buses:
  a: {{interface: embedded, database: [one/a.dbc, two/a.dbc], transmit: [HILBRIDGE]}}
  b:
    interface: embedded
    rest_bus: {{file: logs/drive.log}}
diagnostics:
  units:
    one: {{unit: engine, bus: a, vin: null}}
"""
CHECKOUT = Path(__file__).parents[4]


def unpack(files: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / BENCH


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """A bench whose files lie in several folders, two of them with the same name."""
    database = (CHECKOUT / "dbc/powertrain.dbc").read_text(encoding="utf-8")
    for name in ("one/a.dbc", "two/a.dbc"):
        (tmp_path / "source" / name).parent.mkdir(parents=True)
        (tmp_path / "source" / name).write_text(database, encoding="utf-8")
    (tmp_path / "source/logs").mkdir()
    (tmp_path / "source/logs/drive.log").write_text("(0.000000) can0 123#00\n", encoding="utf-8")
    path = tmp_path / "source/mine.yaml"
    path.write_text(TEXT.format(vehicle="compact"), encoding="utf-8")
    return path


def test_the_folder_is_a_bench_of_its_own(bench: Path, tmp_path: Path) -> None:
    """All that it names lies in it; nothing else of it has changed."""
    original = load_bench(str(bench))
    copied = load_bench(str(unpack(bundle(original), tmp_path / "copy")))
    folder = tmp_path / "copy"
    assert [path.parent for path in (copied.vehicle.path, *copied.databases["a"])] == [folder] * 3
    assert [path.name for path in copied.databases["a"]] == ["a.dbc", "a-2.dbc"]
    assert copied.vehicle.settings == original.vehicle.settings
    assert copied.settings.buses["b"].rest_bus is not None
    assert (folder / copied.settings.buses["b"].rest_bus.file).read_bytes() == b"(0.000000) can0 123#00\n"
    assert (folder / copied.settings.diagnostics.codes).is_file()
    (unit,) = copied.settings.diagnostics.units.values()
    assert unit.model_copy(update={"unit": "engine"}) == original.settings.diagnostics.units["one"]
    assert (unit.unit, unit.vin) == (None, None)
    assert copied.settings.name == "bundled"


def test_functions_of_the_user_are_found_beside_the_bench_file_and_go_along(bench: Path, tmp_path: Path) -> None:
    """As blocks of a vehicle do; from whatever folder the program is started."""
    (bench.parent / "hooks").mkdir()
    (bench.parent / "hooks/sums.py").write_text("def checksum(data, identifier, count):\n    return sum(data) & 0xFF\n")
    raw = "{id: 0x123, data: '00 00', period: 10, protection: [{checksum: "
    raw += "{at: {bit: 8, width: 8}, algorithm: hook, function: 'hooks/sums.py:checksum'}}]}"
    text = TEXT.format(vehicle="compact").replace("one/a.dbc, two/a.dbc", "one/a.dbc")
    bench.write_text(
        text.replace("  b:\n    interface: embedded\n", f"  b:\n    interface: embedded\n    raw: {{One: {raw}}}\n")
    )
    original = load_bench(str(bench))
    checksum = original.settings.buses["b"].raw["One"].protection[0].checksum
    assert checksum is not None
    assert checksum.function == f"{bench.parent}/hooks/sums.py:checksum"
    files = bundle(original)
    assert "sums.py" in files
    copied = load_bench(str(unpack(files, tmp_path / "copy"))).settings.buses["b"].raw["One"].protection[0].checksum
    assert copied is not None
    assert copied.function == f"{tmp_path}/copy/sums.py:checksum"


@pytest.mark.parametrize("name", sorted(path.stem for path in (CHECKOUT / "config/benches").glob("*.yaml")))
def test_each_shipped_bench_is_one_of_its_own(name: str, tmp_path: Path) -> None:
    """With what its profiles brought, so that its recordings are read again: buses and entries are as they were."""
    original = load_bench(name)
    copied = load_bench(str(unpack(bundle(original), tmp_path / "copy")))
    assert copied.settings.custom == original.settings.custom
    for bus, settings in original.settings.buses.items():
        assert copied.settings.buses[bus].raw == settings.raw


def test_a_copy_of_a_copy_is_the_same(bench: Path, tmp_path: Path) -> None:
    first = bundle(load_bench(str(bench)))
    again = bundle(load_bench(str(unpack(first, tmp_path / "copy"))))
    assert again == first


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.text() | st.integers() | st.booleans()))
def test_values_are_written_so_that_they_are_read_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    """Text stays text, also where YAML 1.1 and our reader differ about it."""
    data |= {"exponent": "1e5", "octal": "012", "switch": "on", "nothing": "~", "hexadecimal": "0x10", "time": "1:30"}
    path = tmp_path_factory.mktemp("yaml") / "values.yaml"
    path.write_bytes(dumped(data))
    assert YamlFile.load(path).data == data
