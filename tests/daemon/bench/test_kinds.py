"""A part of a package beyond hilbridge: one module and its entry point make it a part as the built-in ones are."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.rows import Layout
from hilbridge.base.common.statistics import Histogram
from hilbridge.base.trust import gate
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.kinds import GROUP
from hilbridge.bench.status import statistics
from hilbridge.boundary.observe.events import About
from hilbridge.boundary.observe.metrics import MetricsInput, expose
from hilbridge.boundary.observe.notices import ObserverWork
from hilbridge.boundary.observe.rings import Durations
from hilbridge.commands.cli import main
from hilbridge.commands.ctl_status import print_status
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.reload.restart_rules import needs_restart
from hilbridge.runs.run.measured import measured_layouts
from hilbridge.testing import VirtualBench

MODULE = """
    from typing import Annotated, Final, NamedTuple

    from hilbridge.frames.codec.frame import Frame
    from hilbridge.base.common.rows import Family, counter, fact
    from hilbridge.bench.parts.part import Context, PartKind
    from hilbridge.files.settings.common import Name, Settings


    class HornSettings(Settings):
        bus: Name
        every: int = 10


    class HornRow(NamedTuple):
        bus: Annotated[str, fact("bus")]
        blown: Annotated[int, counter("blown", Family("horn_blown_total", "Times blown", ("horn",)))]


    class Horn:
        def __init__(self, settings, bus):
            self.settings, self.bus, self.blown, self.calls = settings, bus, 0, 0

        def stages(self):
            return {"poll": self._poll}

        def _poll(self, t, ready):
            self.calls += 1
            if self.calls % self.settings.every == 0:
                self.blown += 1
                self.bus.transmit(Frame(0x7A0, bytes([self.blown & 255])), None)

        def rows(self):
            yield "horn", HornRow(self.bus.name, self.blown)

        def describe(self):
            return {"horn": f"on {self.bus.name}"}

        def doubts(self):
            return ["a horn every tick is loud"] if self.settings.every == 1 else []

        def take_over(self, before):
            self.blown, self.calls = before.blown, before.calls


    KIND = PartKind("horn", "horn", HornRow, lambda one: Horn(one.section, one.buses[one.section.bus]),
                    settings=HornSettings)
    NOTHING = 7
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package that declares a horn, and a part that is none."""
    installed = tmp_path / "installed"
    facts = installed / "horn_part-1.0.dist-info"
    facts.mkdir(parents=True)
    (installed / "horn_part.py").write_text(dedent(MODULE), encoding="utf-8")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: horn-part\nVersion: 1.0\n", encoding="utf-8")
    lines = f"[{GROUP}]\nhorn = horn_part:KIND\nnothing = horn_part:NOTHING\n"
    (facts / "entry_points.txt").write_text(lines, encoding="utf-8")
    listed = [
        "horn_part.py",
        *(f"horn_part-1.0.dist-info/{name}" for name in ("METADATA", "entry_points.txt", "RECORD")),
    ]
    (facts / "RECORD").write_text("".join(f"{name},,\n" for name in listed), encoding="utf-8")
    monkeypatch.syspath_prepend(installed)
    yield tmp_path
    sys.modules.pop("horn_part", None)


def bench_file(folder: Path, parts: object) -> Path:
    file = folder / "bench.yaml"
    bench = {
        "name": "desk",
        "rate": 100,
        "vehicle": "compact",
        "buses": {"can": {"interface": "embedded"}},
        "parts": parts,
    }
    file.write_text(yaml.safe_dump(bench), encoding="utf-8")
    return file


def test_it_runs_and_is_seen_in_every_view(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its frames on the bus; its row in the status, its table, the metrics and the statistics of the log."""
    with VirtualBench(bench_file(package, {"horn": {"bus": "can", "every": 20}})) as bench:
        bench.advance(1.0)
        assert len(bench.frames("can")) == 5
        status = bench.command("status", parts=["usual", "layouts"])
        counted = statistics(bench.parts)
        layouts = {part: Layout.of_plain(plain) for part, plain in measured_layouts(bench.parts).items()}
    assert status["horn"] == {"horn": {"bus": "can", "blown": 5}}
    assert counted["horn"] == {"horn": {"blown": 5}}
    whole = {"ticks": 0, "missed_ticks": 0, "overload": {"percent": 0, "seconds": 0.0}}
    print_status(status | whole | {"recording": None, "scenario": None})
    assert "horn  can  5" in capsys.readouterr().out
    durations = Durations(Histogram(), Histogram(), Histogram())
    about = About("desk", "1", 100, None)
    facts = MetricsInput(about, None, durations, layouts, json.loads(json.dumps(status)), [], 0, ObserverWork(0, None))
    assert b'hilbridge_horn_blown_total{horn="horn"} 5.0' in expose(facts, "")[0]


def test_a_reload_continues_it(package: Path) -> None:
    """With other settings; another set of parts needs a restart."""
    before = load_bench(str(bench_file(package, {"horn": {"bus": "can"}})))
    with VirtualBench(before.path) as bench:
        bench.advance(0.5)
        after = load_bench(str(bench_file(package, {"horn": {"bus": "can", "every": 50}})))
        assert needs_restart(before, after) == []
        assert needs_restart(before, load_bench(str(bench_file(package, {})))) == [("parts",)]
        bench.parts.adopt(load_bench_files(after), 500_000_000)
        bench.advance(0.5)
        assert bench.command("status", parts=["horn"])["horn"]["horn"]["blown"] == 6


def test_check_shows_it_beside_the_built_in_ones(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(bench_file(package, {"horn": {"bus": "can"}}))
    assert main(["check", file]) == 0
    assert "\nhorn\n" in capsys.readouterr().out
    assert main(["check", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"] == {"horn": {"horn": "on can"}}


def test_a_file_that_is_not_of_the_package_is_refused(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point leads to a file beside the package: no line of that runs."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())
    (package / "installed/horn_part-1.0.dist-info/RECORD").write_text("horn_part-1.0.dist-info/RECORD,,\n")
    file = load_bench(str(bench_file(package, {"horn": {"bus": "can"}})))
    with pytest.raises(ConfigurationError, match="belongs to no distribution that is installed"):
        Bench(file)
    assert "horn_part" not in sys.modules


def test_what_the_user_may_not_have_meant_is_a_warning(package: Path) -> None:
    bench = Bench(load_bench(str(bench_file(package, {"horn": {"bus": "can", "every": 1}}))))
    assert "a horn every tick is loud" in bench.wiring.warnings()


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"trumpet": {}}, "no installed package has a part 'trumpet' .there is: horn, nothing"),
        ({"nothing": {}}, "horn_part: NOTHING is no PartKind"),
        ({"horn": {"bus": "can", "volume": 3}}, "unknown key; known here: bus, every"),
        ({"horn": {}}, "is missing"),
    ],
)
def test_a_wrong_section_is_an_error_with_its_place(package: Path, parts: object, reason: str) -> None:
    file = load_bench(str(bench_file(package, parts)))
    with pytest.raises(ConfigurationError, match=reason) as caught:
        Bench(file)
    assert caught.value.place[0] == "parts"
