"""What a log may cost: packed logs that grow, readers that make nothing."""

import bz2
import gzip
import lzma
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.logs import process, source
from hilbridge.boundary.logs.account import LogError
from hilbridge.boundary.logs.process import fate, start

from .written import read_text

LINES = "".join(f"({index / 100:.6f}) can0 123#{index % 256:02X}\n" for index in range(3000)).encode()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_is_read_as_it_is(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    frames, account = read_text(tmp_path, pack(LINES), "a.dat")
    assert len(frames) == 3000
    assert account.format.startswith("candump in ")
    assert read_text(tmp_path, pack(LINES) + pack(LINES[:-1000]))[0][:3000] == frames  # members one after the other


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_that_grows_too_much_is_refused(
    tmp_path: Path, pack: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(pack)
    monkeypatch.setattr(source, "_ALLOWED", 0)
    with pytest.raises(LogError, match="it unpacks to more than 300 times its size"):
        read_text(tmp_path, pack(b"(1.0) can0 123#11\n" + b"\n" * (16 << 20)))


def test_a_packed_log_that_is_damaged_gives_what_is_before(tmp_path: Path) -> None:
    packed = bytearray(
        gzip.compress(LINES + b"".join(b"(99.0) can0 124#%04X\n" % (i * 7 % 65536) for i in range(90_000)))
    )
    packed[-2000] ^= 0x55
    frames, account = read_text(tmp_path, bytes(packed))
    assert len(frames) > 3000
    assert account.cut.startswith("the packed file is damaged before its byte ")
    with pytest.raises(LogError, match="the packed file is cut off"):
        read_text(tmp_path, gzip.compress(LINES)[:12])


def test_a_reader_that_makes_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the kernel, by processor time and not by a clock."""
    (tmp_path / "hang.py").write_text(
        "from hilbridge.boundary.logs import process\nprocess._PATIENCE = 1\nprocess.grant_time()\nwhile True: pass\n"
    )
    (tmp_path / "a.log").write_bytes(LINES)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    reader = start("hang", tmp_path / "a.log", errors=-3)
    reader.communicate(timeout=120)
    assert reader.returncode == -signal.SIGXCPU
    assert "in 60 s of processor time, or died" in fate(reader.returncode)
    assert process.placed(tmp_path, "line 7: odd") == f"{tmp_path}:7: odd"
    with pytest.raises(ConfigurationError, match="there is no log"):
        start("hang", tmp_path / "none.log", errors=-3)


def test_a_log_is_read_where_a_shell_allows_less_processor_time(tmp_path: Path) -> None:
    """`ulimit -t 30`: the reader's own minute is more than that, and the log is read within what there is."""
    (tmp_path / "a.log").write_bytes(LINES)
    reader = subprocess.run(
        [sys.executable, "-m", "hilbridge.boundary.logs.reading", str(tmp_path / "a.log")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30)),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (reader.returncode, reader.stderr) == (0, b"")
