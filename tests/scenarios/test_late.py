"""What is missing at the start is awaited as after a loss; what is wrong with a file is an error at once."""

import os
import re
import socket
import subprocess
import sys
import time
import tty
from pathlib import Path
from typing import Any

import pytest

from hilbridge.client.sync_client import Client
from hilbridge.client.talks import UnreachableError

from ..program import PATIENCE, demo_bench, hilbridge, running

REMEDY = re.compile(r"ip link add dev nocan7 type vcan|modprobe can_raw")


def bench_on(folder: Path, interface: str, channel: object, *more: str) -> Path:
    """The demo bench with its bus on an interface, armed, and a control socket of its own."""
    way = "".join(f"\n    {line}" for line in (f"channel: {channel}", "armed: true", *more))
    file = demo_bench(folder, ("interface: embedded", f"interface: {interface}"))
    text = file.read_text(encoding="utf-8").replace("slcan: 0", way.strip())
    file.write_text(f"{text}\ncontrol: {{socket: {folder}/ctl.sock, mode: '600'}}\n", encoding="utf-8")
    return file


def frames_of(adapter: int) -> bytes:
    """What the daemon has written to a serial adapter, once that has a frame in it."""
    os.set_blocking(adapter, False)
    heard, deadline = b"", time.monotonic() + PATIENCE
    while b"\rt" not in heard:
        assert time.monotonic() < deadline, f"no frame came: {heard!r}"
        try:
            heard += os.read(adapter, 1 << 16)
        except BlockingIOError:
            time.sleep(0.01)
    return heard


def plug_in(path: Path) -> tuple[int, int]:
    """A serial adapter that appears under a name; the descriptors of both ends."""
    own, other = os.openpty()
    tty.setraw(other)
    path.symlink_to(os.ttyname(other))
    return own, other


def test_an_adapter_that_comes_late_is_used_like_one_that_was_lost(tmp_path: Path) -> None:
    """The bench ticks meanwhile, says what it awaits and for how long, and the recording replays to the byte."""
    adapter, recording = tmp_path / "adapter", tmp_path / "recording"
    file = bench_on(tmp_path, "slcan", adapter, "bitrate: 500000")
    with running(file, "--record", recording) as program:
        waiting = program.wait_for("bus not open yet")
        assert str(adapter) in waiting["reason"]
        program.wait_for("ready")
        with Client(tmp_path / "ctl.sock") as client:
            client.wait_until("vehicle.EngineRpm > 0")  # the car drives without its bus
            row = client.status("buses")["buses"]["powertrain"]
            assert row["trouble"] == waiting["reason"]
            assert row["down_s"] > 0
            assert row["transmitted"] == 0
            ends = plug_in(adapter)
            program.wait_for("link back")
            assert frames_of(ends[0])
            row = client.status("buses")["buses"]["powertrain"]
            assert (row["trouble"], row["down_s"]) == ("", 0)
            adapter.unlink()
            for end in ends:
                os.close(end)
            program.wait_for("link lost")
            ends = plug_in(adapter)
            program.wait_for("link back")
            assert frames_of(ends[0])
        program.stop()
    for end in ends:
        os.close(end)
    replayed = hilbridge("replay", recording, "--json")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_an_adapter_that_nothing_tells_from_another_is_disarmed_when_it_comes_back(tmp_path: Path) -> None:
    """It was armed by a command, not by the file: what is in its place now may be on a car. The replay has it too."""
    adapter, recording = tmp_path / "adapter", tmp_path / "recording"
    file = bench_on(tmp_path, "slcan", adapter, "bitrate: 500000")
    file.write_text(file.read_text(encoding="utf-8").replace("    armed: true\n", ""), encoding="utf-8")
    ends = plug_in(adapter)
    with running(file, "--record", recording) as program, Client(tmp_path / "ctl.sock") as client:
        program.wait_for("ready")
        client.arm("powertrain")
        assert frames_of(ends[0])
        adapter.unlink()
        for end in ends:
            os.close(end)
        program.wait_for("link lost")
        ends = plug_in(adapter)
        told = program.wait_for("another adapter, bus disarmed")
        assert "hilbridge ctl arm powertrain" in told["remedy"]
        assert not client.status("buses")["buses"]["powertrain"]["armed"]
        client.arm("powertrain")
        assert frames_of(ends[0])
        client.close()
        program.stop()
    for end in ends:
        os.close(end)
    replayed = hilbridge("replay", recording, "--json")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_an_interface_of_the_kernel_that_is_missing_is_awaited(tmp_path: Path) -> None:
    """The service manager's line says for what and for how long, with what to type."""
    file = bench_on(tmp_path, "socketcan", "nocan7")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        run = hilbridge("run", file, "--no-web", "--duration", 1, env=environment)
        told = manager.recv(4096).decode()
    assert run.returncode == 0, run.stderr
    assert told.startswith("READY=1\nSTATUS=demo: ")
    assert ", 0 of 1 links up; awaited for 0 s: socketcan nocan7 cannot be opened: " in told
    assert REMEDY.search(told)


@pytest.mark.parametrize("way", ["--wait none", "wait: required"])
def test_whoever_does_not_wait_gets_an_error_that_may_pass(tmp_path: Path, way: str) -> None:
    """Exit status 1, the place in the file, and the reason in the service manager's line."""
    file = bench_on(tmp_path, "socketcan", "nocan7", *([way] if way.startswith("wait") else []))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        run = hilbridge("run", file, "--no-web", *(way.split() if way.startswith("--") else []), env=environment)
        told = manager.recv(4096).decode()
    assert run.returncode == 1
    assert run.stderr.startswith(f"{file}:")
    assert REMEDY.search(run.stderr)
    assert told == f"STATUS=not started: {run.stderr.strip()}"


def test_a_serial_port_that_is_missing_is_an_error_for_whoever_does_not_wait(tmp_path: Path) -> None:
    file = demo_bench(tmp_path, ("port: pty", f"port: {tmp_path}/ttyACM7"))
    run = hilbridge("run", file, "--no-web", "--wait", "none")
    assert run.returncode == 1
    assert f"serial {tmp_path}/ttyACM7 at" in run.stderr


@pytest.mark.parametrize(
    ("interface", "channel", "more", "reason"),
    [
        ("no-such-thing", "can0", "fd: false", "buses.powertrain.interface: "),
        ("slcan", "/dev/no-such-port", "options: {lisen_only: true}", "lisen_only"),
    ],
)
def test_what_no_waiting_helps_is_an_error_of_the_file(
    tmp_path: Path, interface: str, channel: str, more: str, reason: str
) -> None:
    """Exit status 2, after which a service is not started again."""
    run = hilbridge("run", bench_on(tmp_path, interface, channel, more), "--no-web")
    assert run.returncode == 2
    assert reason in run.stderr


def test_a_wrong_file_is_told_to_the_service_manager(tmp_path: Path) -> None:
    """Its line of status has file and line; no start follows."""
    file = demo_bench(tmp_path, ("rate: 1000", "rate: fast"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        run = hilbridge("run", file, "--no-web", env=environment)
        told = manager.recv(4096).decode()
    assert run.returncode == 2
    assert told.startswith(f"STATUS=not started: {file}:")
    assert "rate" in told


def test_the_journal_gets_the_error_of_a_start_with_its_priority(tmp_path: Path) -> None:
    """Each line of it, so that `journalctl -p err` shows them."""
    file = demo_bench(tmp_path, ("rate: 1000", "rate: fast"), ("name: demo", "name: 7"))
    code = (
        "import os, sys; s = os.fstat(2); os.environ['JOURNAL_STREAM'] = f'{s.st_dev}:{s.st_ino}';"
        "from hilbridge.commands.cli import main; sys.exit(main(['run', sys.argv[1]]))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr
    assert all(line.startswith(f"<3>{file}:") for line in run.stderr.splitlines())


def test_a_page_whose_port_is_taken_at_the_start_comes_once_it_is_free(tmp_path: Path) -> None:
    """As one on an address that the network gives later: the run goes on without it, and says so."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        file = demo_bench(tmp_path)
        with file.open("a", encoding="utf-8") as bench:
            bench.write(f"\ncockpit: {{port: {port}}}\ncontrol: {{socket: {tmp_path}/ctl.sock}}\n")
        with running(file, page=True) as program:
            said = program.wait_for("cockpit not open")
            assert str(port) in said["reason"]
            program.wait_for("ready")
            other.close()
            assert f":{port}/" in program.wait_for("cockpit")["url"]
            program.stop()


def test_a_control_socket_whose_folder_is_missing_at_the_start_comes_with_it(tmp_path: Path) -> None:
    """The run goes on without it, says so once and is commanded by it afterwards; the line of the service has it."""
    file = demo_bench(tmp_path)
    folder = tmp_path / "later"
    with file.open("a", encoding="utf-8") as bench:
        bench.write(f"\ncontrol: {{socket: {folder}/ctl.sock}}\n")
    with running(file) as program:
        said = program.wait_for("control socket not open")
        assert "No such file or directory" in said["reason"]
        program.wait_for("ready")
        folder.mkdir()
        program.wait_for("control socket open")
        assert "control socket" not in answered(folder / "ctl.sock")["service"]["troubles"]
        program.stop()


def answered(path: Path) -> dict[str, Any]:
    """The status of the service, from a control process that may still begin."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with Client(path) as client:
                return client.status("service")
        except UnreachableError:
            assert time.monotonic() < deadline
