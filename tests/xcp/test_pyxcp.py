"""XCP as a foreign master knows it: pyxcp on a bench that runs, and pya2ldb on its A2L file.

For an environment of its own, with both in it: `make test-xcp`.
"""

import csv
import socket
import struct
import time
import zlib
from pathlib import Path
from typing import Any

import can
import pytest
from pya2l import import_a2l, model
from pya2l.api.validate import Validator
from pyxcp import Master
from pyxcp.config import create_application_from_config
from pyxcp.types import XcpResponseError

from hilbridge.bench.xcp.parameter_map import engine_values
from hilbridge.desk.a2l.file import a2l_of
from hilbridge.desk.a2l.interface import XcpPlace
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.channels import NAN
from vehiclesim.entries import STANDARD

from ..pages import Reader
from ..program import CHECKOUT, hilbridge, slcan_client, until_listening
from ..program import running as run
from .rig import BENCH, MOST_STALLED, NOT_AVAILABLE, PATIENCE, RATE, SECONDS, Rows, daq_list, master, reached, running


@pytest.fixture(scope="module")
def a2l(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The A2L file of a bench that may be written, as pya2ldb reads it."""
    folder = tmp_path_factory.mktemp("a2l")
    file = folder / "measured.a2l"
    (folder / "bench.yaml").write_text(
        BENCH.format(folder=folder, extra="write: true").replace("port: 0", "port: 5555"), encoding="utf-8"
    )
    assert hilbridge("a2l", folder / "bench.yaml", "-o", file).returncode == 0
    return import_a2l(str(file), in_memory=True, progress_bar=False, loglevel="ERROR")


@pytest.fixture(scope="module")
def known(a2l: Any) -> dict[str, int]:
    """The address of each measurement."""
    return {one.name: one.ecu_address.address for one in a2l.query(model.Module).all()[0].measurement}


def test_the_a2l_file_is_read_without_a_finding(a2l: Any) -> None:
    """But for the length that names may have in C of 1990, which A2L does not ask for."""
    assert not [one for one in Validator(a2l)() if "ISO C90 limit" not in one.text]
    module = a2l.query(model.Module).all()[0]
    assert {one.name for one in module.measurement} == {entry.path for entry in STANDARD.all()}
    settable = {f"hold.{entry.path}" for entry in STANDARD.all() if entry.limits is not None}
    tunable = {f"tune.engine.{name}" for name in engine_values(load_vehicle("compact").settings)}
    found = {one.name for one in module.characteristic}
    assert found >= settable
    assert found - settable <= tunable
    assert len(found - settable) > 30
    methods = {one.name: one for one in module.compu_method}
    key = next(one for one in module.measurement if one.name == "input.Key")
    table = methods[key.conversion].compu_tab_ref.conversionTable
    states = next(one for one in module.compu_vtab if one.name == table)
    assert [(pair.inVal, pair.outVal) for pair in states.pairs] == [(-1, "off"), (0, "on"), (1, "start")]
    speed = methods[next(one for one in module.measurement if one.name == "vehicle.Speed").conversion]
    assert (speed.unit, speed.coeffs.b, speed.coeffs.f) == ("m/s", 1000, 1)


def test_the_interface_of_the_a2l_file_is_that_of_its_meta_language(a2l: Any) -> None:
    module = a2l.query(model.Module).all()[0]
    version, parts = a2l.parse_ifdata(module.if_data)[0]["XCPplus"]
    assert version == 0x0104
    assert parts["PROTOCOL_LAYER"][8:10] == [248, 1400]
    assert [event[0] for event in parts["DAQ"][-1]["EVENT"]] == ["tick", "10 ms", "100 ms"]
    assert parts["XCP_ON_TCP_IP"][2] == {"ADDRESS": "127.0.0.1"}


@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_every_entry_is_polled(tmp_path: Path, known: dict[str, int], transport: str) -> None:
    """The answers are those of the control socket at rest, the checksum that of zlib, the A2L file the command's."""
    extra, protocol = f"transport: {transport}", transport.upper()
    with running(tmp_path, extra, "--no-demo-driver") as (_, port), master(port, protocol) as xcp:
        assert xcp.identifier(0) == "measured"
        place = XcpPlace(transport, "127.0.0.1", port)  # type: ignore[arg-type]
        file = a2l_of("measured", STANDARD, RATE, place, write=False)
        assert xcp.identifier(4) == file
        resting = {entry.path: entry for entry in STANDARD.all() if entry.channel != "clock"}
        with reached(tmp_path) as bench:
            values = bench.values().entries
        for path, address in known.items():
            if path in resting:
                raw = int.from_bytes(xcp.shortUpload(4, address), "little", signed=True)
                value = values[path].value
                assert value is None or value == pytest.approx(raw / resting[path].resolution), path
        xcp.setMta(0x90000)
        data = xcp.upload(36)
        xcp.setMta(0x90000)
        assert xcp.buildChecksum(36).checksum == zlib.crc32(data)
        with pytest.raises(XcpResponseError):
            xcp.shortUpload(4, 0x500000)
        with pytest.raises(XcpResponseError):
            xcp.shortDownload(0x10004, 0, struct.pack("<i", 5000))


def test_twenty_entries_of_each_tick_are_those_of_the_recording(tmp_path: Path, known: dict[str, int]) -> None:
    """DAQ lists of three events at once: no tick of the bench is missing, and every value is the recorded one."""
    places = {path: known[path] for path in sorted(known) if path.startswith(("vehicle.", "input.", "chassis."))}
    chosen = dict(list(places.items())[::2][:20])
    assert len(chosen) == 20
    rows = Rows(
        [
            daq_list("tick", 0, chosen),
            daq_list("ten", 1, dict(list(chosen.items())[:3])),
            daq_list("hundred", 2, dict(list(chosen.items())[3:5])),
            daq_list("fifth", 0, dict(list(chosen.items())[:1]), prescaler=5),
        ]
    )
    with running(tmp_path, "", "--record", tmp_path / "recording") as (program, port):
        with master(port, policy=rows) as xcp:
            info = xcp.getDaqInfo()
            assert [one["name"] for one in info["channels"]] == ["tick", "10 ms", "100 ms"]
            rows.setup()
            rows.start()
            time.sleep(SECONDS)
            rows.stop()
        statistics = program.stop()["xcp"]["tcp"]
    assert statistics.get("overruns", 0) == 0
    assert statistics["sent"] == sum(map(len, rows.rows.values()))
    export = tmp_path / "values.csv"
    assert hilbridge("export", tmp_path / "recording", "--values", export, "--interval", "0").returncode == 0
    order = [header[0] for header in rows.daq_lists[0].headers]  # pyxcp has an order of its own
    recorded = read_values(export, order)
    few = [order.index(header[0]) for header in rows.daq_lists[1].headers]
    measured = {stamp // 1000: values for stamp, values in rows.rows[0]}
    assert len(measured) == len(rows.rows[0]) > SECONDS * RATE * MOST_STALLED
    first, last = min(measured), max(measured)
    starts = (
        start - first
        for start, values in recorded.items()
        if values == measured[first]
        and all(recorded.get(start - first + stamp) == values for stamp, values in measured.items())
    )
    begin = next(starts, None)  # pyxcp counts from its first row on
    assert begin is not None
    assert [begin + stamp for stamp in sorted(measured)] == [
        stamp for stamp in recorded if begin + first <= stamp <= begin + last
    ]
    ten = [
        begin + stamp // 1000
        for stamp, values in rows.rows[1]
        if values == [recorded[begin + stamp // 1000][column] for column in few]
    ]
    assert len(ten) == len(rows.rows[1]) > SECONDS * 100 * MOST_STALLED
    assert len({stamp // 10_000 for stamp in ten}) == len(ten)
    assert len(rows.rows[2]) >= SECONDS * 10 * MOST_STALLED
    assert abs(len(rows.rows[3]) - len(measured) / 5) <= 1


def read_values(file: Path, paths: list[str]) -> dict[int, list[int]]:
    """The integers of a recording by time [µs]."""
    resolution = {entry.path: entry.resolution for entry in STANDARD.all()}
    values = {}
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        head = [cell.partition(" [")[0] for cell in next(reader)]
        columns = [head.index(path) for path in paths]
        for row in reader:
            values[round(float(row[0]) * 1e6)] = [
                round(float(row[column]) * resolution[path]) if row[column] else NOT_AVAILABLE.get(path, NAN)
                for path, column in zip(paths, columns, strict=True)
            ]
    return values


def held_by(folder: Path, control: str) -> str:
    """Who holds a control, as the status of the bench says it."""
    with reached(folder) as bench:
        return str(next(one["source"] for one in bench.status("inputs")["inputs"] if one["control"] == control))


def test_what_a_master_writes_is_held_and_replayed(tmp_path: Path) -> None:
    """Until it disconnects; beyond the limits nothing is written, and neither is what the bench computes."""
    throttle, speed = 0x10004, 0x20000
    with running(tmp_path, "write: true", "--record", tmp_path / "recording") as (program, port):
        with master(port) as xcp:
            xcp.setMta(throttle)
            xcp.download(struct.pack("<i", 2500))
            assert xcp.shortUpload(4, throttle) == struct.pack("<i", 2500)
            xcp.shortDownload(throttle, 0, struct.pack("<i", 7500))
            assert xcp.shortUpload(4, throttle) == struct.pack("<i", 7500)
            assert "XCP 127.0.0.1" in held_by(tmp_path, "Throttle")
            for address, value in ((throttle, 10_001), (speed, 1000), (throttle + 1, 0)):
                with pytest.raises(XcpResponseError):
                    xcp.shortDownload(address, 0, struct.pack("<i", value))
        assert "XCP" not in held_by(tmp_path, "Throttle")
        assert program.stop()["xcp"]["tcp"]["written"] == 2
    assert hilbridge("replay", tmp_path / "recording").returncode == 0


def test_a_second_master_is_refused_politely(tmp_path: Path) -> None:
    with running(tmp_path, "") as (_, port), master(port) as xcp:
        with socket.create_connection(("127.0.0.1", port)) as second:
            second.settimeout(PATIENCE)
            second.sendall(bytes.fromhex("02000000 FF00"))
            assert second.recv(100)[4:] == bytes.fromhex("FE33")
        assert xcp.getStatus().resourceProtectionStatus.daq is False


def test_the_guide(tmp_path: Path) -> None:
    Reader(tmp_path).follow((CHECKOUT / "docs/guides/xcp.md").read_text(encoding="utf-8"))


ON_CAN = """\
name: measured
rate: 1000
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
buses:
  a: {{interface: embedded, slcan: {slcan}, bitrate: 500000}}
inputs:
  - {{source: demo-driver}}
xcp: {{transport: can, bus: a, request: 0x7E5, answer: 0x7ED, write: true}}
"""


def until_on_the_bus(slcan: int) -> None:
    """Connects and disconnects by hand, once the process of the slave has started."""
    with slcan_client(until_listening(slcan)) as bus:
        for packet in (bytes.fromhex("FF00"), bytes.fromhex("FE")):
            for _ in range(int(PATIENCE)):
                bus.send(can.Message(arbitration_id=0x7E5, is_extended_id=False, data=packet))
                answer = bus.recv(1.0)
                if answer is not None and answer.arbitration_id == 0x7ED:
                    break
            else:
                pytest.fail("the slave is not on the bus")


def test_a_master_on_can_measures_and_writes(tmp_path: Path, known: dict[str, int]) -> None:
    """By SLCAN, as an adapter: each packet a frame of at most eight bytes; the frames are in the recording."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        slcan = free.getsockname()[1]
    file = tmp_path / "bench.yaml"
    file.write_text(ON_CAN.format(folder=tmp_path, slcan=slcan), encoding="utf-8")
    record = tmp_path / "record"
    with run(file, "--record", record) as program:
        assert program.wait_for("XCP")["where"] == f"can://socket://127.0.0.1:{slcan}/7E5/7ED"
        until_on_the_bus(slcan)
        rows = Rows([daq_list("few", 1, {path: known[path] for path in ("vehicle.Speed", "vehicle.EngineRpm")})])
        settings = create_application_from_config({"General": {"disable_error_handling": True}})
        settings.transport.timeout = PATIENCE
        wire = settings.transport.can
        wire.interface, wire.channel, wire.bitrate = "slcan", f"socket://127.0.0.1:{slcan}", 500_000
        wire.can_id_master, wire.can_id_slave = 0x7E5, 0x7ED
        with Master("can", config=settings, policy=rows) as xcp:
            xcp.connect()
            assert xcp.slaveProperties.maxCto == xcp.slaveProperties.maxDto == 8
            raw = int.from_bytes(xcp.shortUpload(4, known["vehicle.EngineRpm"]), "little", signed=True)
            assert raw >= 0
            xcp.setMta(known["input.Clutch"])
            xcp.download(struct.pack("<i", 5000))
            assert int.from_bytes(xcp.shortUpload(4, known["input.Clutch"]), "little", signed=True) == 5000
            rows.setup()
            rows.start()
            time.sleep(SECONDS)
            rows.stop()
            xcp.disconnect()
        assert len(rows.rows[0]) > SECONDS * 100 * MOST_STALLED
        program.stop()
    replayed = hilbridge("replay", record)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
