"""XCP as a part of a bench: what is sampled in the tick, its row, its settings."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.bench.xcp.memory_map import MemoryMap, time_and_image
from hilbridge.bench.xcp.part import XcpPart
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.runs.reload.restart_rules import needs_restart

BENCH = """\
name: sampled
vehicle: compact
inputs: [{source: demo-driver}]
"""


def loaded(folder: Path, extra: str) -> BenchFile:
    file = folder / "bench.yaml"
    file.write_text(BENCH + extra, encoding="utf-8")
    return load_bench(str(file))


def test_a_tick_is_sampled_while_it_is_wanted_and_as_it_is(tmp_path: Path) -> None:
    """Without a memory, as in a replay, and without a master nothing is."""
    bench = Bench(loaded(tmp_path, "xcp: {}\n"))
    part = bench.wiring.xcp
    assert isinstance(part, XcpPart)
    bench.publish(0)
    memory = SampleMemory.create()
    part.begin(memory, "tcp://127.0.0.1:1")
    bench.publish(1_000_000)
    assert memory.ring.newest == 0
    memory.write("wanted", 1)
    for number in range(2, 5):
        bench.sample(number * 1_000_000)
        bench.step()
        bench.publish(number * 1_000_000)
        sample = memory.ring.get()
        assert sample is not None
        t, image = time_and_image(sample)
        assert t == number * 1_000_000
        data = bench.vehicle.data
        for address, entry in MemoryMap(data.entries).addresses():
            place = MemoryMap(data.entries).place(address, 4)
            found = data.entries.find(entry.path)
            assert place is not None
            assert found is not None
            assert int.from_bytes(image[place.offset : place.offset + 4], "little", signed=True) == data.get(*found)
    assert memory.ring.newest == 3
    memory.count("sent", 3)
    ((name, row),) = part.rows()
    assert (name, row.where, row.masters, row.counters["sent"]) == ("tcp", "tcp://127.0.0.1:1", 1, 3)
    part.end()
    memory.close()
    ((_, row),) = part.rows()
    assert (row.where, row.masters, row.counters["sent"]) == ("", 0, 3)


def test_a_bench_without_it_has_no_part(tmp_path: Path) -> None:
    assert Bench(loaded(tmp_path, "")).wiring.xcp is None


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ("xcp: {write: true}\ncontrol: {enabled: false}\n", "needs the control socket"),
        ("xcp: {unlock: 'keys.py:key'}\n", "keys.py"),
        ("xcp: {port: 29576}\nbuses: {can: {interface: embedded, slcan: 29576}}\n", "the same TCP port"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, section: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        Bench(loaded(tmp_path, section))


@pytest.mark.parametrize(
    ("game", "slave", "is_taken"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("0.0.0.0", "127.0.0.1", True),
        ("127.0.0.1", "::", True),
        ("0.0.0.0", "::1", False),
        ("127.0.0.2", "127.0.0.1", False),
    ],
)
def test_a_game_and_the_slave_have_different_udp_ports(tmp_path: Path, game: str, slave: str, is_taken: bool) -> None:
    """Of one address, which 0.0.0.0 and :: are all of."""
    file = tmp_path / "bench.yaml"
    udp = f"{{source: udp, address: '{game}', port: 4445, layout: outgauge, senders: ['127.0.0.1']}}"
    text = BENCH.replace("{source: demo-driver}", udp)
    xcp = f"xcp: {{port: 4445, transport: udp, address: '{slave}', masters: ['127.0.0.1']}}\n"
    file.write_text(text + xcp, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="the same UDP port") if is_taken else nullcontext():
        load_bench(str(file))


def test_a_change_needs_a_restart(tmp_path: Path) -> None:
    files = [loaded(tmp_path, extra) for extra in ("xcp: {}\n", "xcp: {port: 1}\n", "")]
    assert not needs_restart(files[0], files[0])
    assert needs_restart(files[0], files[1])
    assert needs_restart(files[1], files[2])
