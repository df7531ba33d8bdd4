"""What stands behind a bus is heard and asked on, whatever the bench adopts."""

import gc
import weakref
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.clusters import Clusters
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

BENCH = """
name: desk
vehicle: compact
buses:
  dash:
    interface: embedded
    reports: {Cluster: {id: 0x430, signals: {Speed: {bit: 0, width: 8}}}}
    diagnostics: {request: 0x714, answer: 0x77E}
  other: {interface: embedded}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "desk.yaml").write_text(BENCH, encoding="utf-8")
    return tmp_path / "desk.yaml"


def clusters(bench: VirtualBench) -> Clusters:
    return bench.parts.wiring.clusters


def test_only_what_the_file_names_has_a_status(file: Path) -> None:
    with VirtualBench(file) as bench:
        found = dict(clusters(bench).status(bench.data.channels, 0))
        assert list(found) == ["dash"]
        assert found["dash"].question is not None
        assert (found["dash"].reports[0].count, found["dash"].question.outcome) == (0, None)
        with pytest.raises(ConfigurationError, match="'other' does not say who answers"):
            clusters(bench).ask("other", b"\x22\xf1\x90", 0)


def test_a_reload_ends_a_question_and_counts_on(file: Path) -> None:
    """So nobody takes the answer to an old question for that to a new one; the bus is heard by the new wiring alone."""
    with VirtualBench(file) as bench:
        bench.command("ask", bus="dash", request="22F190")
        nodes = len(bench.parts.buses["dash"].nodes)
        bench.parts.adopt(load_bench_files(load_bench(str(file))), 0)
        assert len(bench.parts.buses["dash"].nodes) == nodes
        question = dict(clusters(bench).status(bench.data.channels, 0))["dash"].question
        assert question is not None
        assert (question.request, question.outcome) == (1, "no answer")
        bench.send("dash", Frame(0x430, b"\x50"))
        bench.advance(0.01)
        (report,) = dict(clusters(bench).status(bench.data.channels, 0))["dash"].reports
        assert report.signals[0].says == 0x50
        assert clusters(bench).ask("dash", b"\x22\xf1\x90", 0) == 2


def test_what_a_reload_replaces_is_gone_without_a_collector(file: Path) -> None:
    """The tick has none: it would stay in memory for good. Who keeps the clusters keeps their questioner, too."""
    with VirtualBench(file) as bench:
        bench.command("ask", bus="dash", request="22F190")
        bench.advance(0.01)
        replaced = weakref.ref(clusters(bench)._questioners["dash"])
        gc.disable()
        try:
            bench.parts.adopt(load_bench_files(load_bench(str(file))), 0)
            assert replaced() is None
        finally:
            gc.enable()
