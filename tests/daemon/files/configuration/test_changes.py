"""Values in place of those in files, given by key path."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH, bundle
from hilbridge.files.configuration.changes import Changes


def test_keys_are_sorted_by_the_file_that_they_change() -> None:
    changes = Changes.of({"bench.rate": 500, "vehicle.body.mass": 1000, "grade": 4, "bench": "a parameter", "x.y": 1})
    assert changes.bench == {"rate": 500}
    assert changes.vehicle == {"body.mass": 1000}
    assert changes.scenario == {"grade": 4, "bench": "a parameter", "x.y": 1}


def test_the_bench_is_as_if_the_values_stood_in_its_files() -> None:
    """Sections that are not there are added, items of lists are numbered."""
    given = {
        "bench.rate": 500,
        "bench.realtime.priority": 7,
        "bench.inputs.0.timeout": 12,
        "vehicle.body.mass": 1000,
    }
    file, plain = load_bench("demo", Changes.of(given)), load_bench("demo")
    assert (file.settings.rate, plain.settings.rate) == (500, 1000)
    assert file.settings.realtime.priority == 7
    assert file.file.data["inputs"][0]["timeout"] == 12
    assert file.vehicle.settings.body.mass == 1000
    assert plain.vehicle.settings.body.mass != 1000


def test_what_is_kept_of_the_bench_has_them_too(tmp_path: Path) -> None:
    """So a recording replays, and runs of a campaign begin from the same files."""
    files = bundle(load_bench("demo", Changes.of({"vehicle.body.mass": 1000, "bench.rate": 500})))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    kept = load_bench(str(tmp_path / BENCH))
    assert (kept.settings.rate, kept.vehicle.settings.body.mass) == (500, 1000)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("vehicle.body.mass", -1, "compact.yaml:LINE: body.mass: must be at least 50 kg, found -1"),
        ("vehicle.body.mess", 1, "body.mess: unknown key"),
        ("bench.rate.unit", "Hz", "demo.yaml: rate is a single value, and has no keys to set"),
        ("bench.inputs.9.source", "x", "demo.yaml: inputs.9: '9' is no number of an item below"),
        ("bench.inputs.last", "x", "demo.yaml: inputs.last: 'last' is no number of an item below"),
    ],
)
def test_a_wrong_value_is_told_as_if_it_stood_in_the_file(key: str, value: object, reason: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_bench("demo", Changes.of({key: value}))
    assert reason.replace("LINE", str(line_of("  mass:"))) in str(caught.value)


def line_of(start: str) -> int:
    """The number of the compact's first line that starts so."""
    lines = find(Kind.VEHICLE, "compact").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(start))
