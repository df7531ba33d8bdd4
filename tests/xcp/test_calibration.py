"""The engine calibrated and inputs stimulated by pyxcp, on a bench that runs; its A2L file as pya2ldb reads it."""

import json
import struct
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from pya2l import import_a2l, model
from pya2l.api.validate import Validator
from pyxcp.daq_stim.stim import FakeEnum
from pyxcp.types import XcpResponseError

from hilbridge.boundary.record.boundary_records import COMMAND
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.vehiclefile import load_vehicle

from ..program import hilbridge
from .rig import BENCH, PATIENCE, Rows, daq_list, master, reached, running

VEHICLE = "mx5-nd"
"""Its engine has tables."""

ECU, XCP = 1, 2
WORKING, REFERENCE = 0, 1
CRC_32 = "XCP_CRC_32"
STEPS = 100


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module of an A2L file, in which pya2ldb has found nothing."""
    folder = tmp_path_factory.mktemp("a2l")
    text = BENCH.format(folder=folder, extra="write: true").replace("port: 0", "port: 5555")
    (folder / "bench.yaml").write_text(text.replace("compact", VEHICLE), encoding="utf-8")
    assert hilbridge("a2l", folder / "bench.yaml", "-o", folder / "a.a2l").returncode == 0
    a2l = import_a2l(str(folder / "a.a2l"), in_memory=True, progress_bar=False, loglevel="ERROR")
    assert not [one for one in Validator(a2l)() if "ISO C90 limit" not in one.text]
    module = a2l.query(model.Module).all()[0]
    module.session = a2l  # what it was read into, for as long as it is looked at
    (segment,) = module.mod_par.memory_segment
    module.pages = a2l.parse_ifdata(segment.if_data)[0]["XCPplus"][1]["SEGMENT"]
    return module


def characteristics(module: Any) -> dict[str, Any]:
    return {one.name: one for one in module.characteristic}


def test_values_curves_and_axes_are_described(module: Any) -> None:
    """With the limits and units that the reference of vehicle files has."""
    found = characteristics(module)
    units = {one.name: one.unit for one in module.compu_method}
    idle, curve = found["tune.engine.idle_rpm"], found["tune.engine.table_torque"]
    assert (idle.type, idle.lowerLimit, idle.upperLimit, units[idle.conversion]) == ("VALUE", 1, 100_000, "rpm")
    assert (curve.type, units[curve.conversion]) == ("CURVE", "Nm")
    (axis,) = curve.axis_descr
    assert (axis.attribute, axis.axis_pts_ref.axisPoints) == ("COM_AXIS", "tune.engine.table_rpm")
    points = next(one for one in module.axis_pts if one.name == "tune.engine.table_rpm")
    engine = load_vehicle(VEHICLE).settings.engine
    table = engine.table_rpm
    assert (points.maxAxisPoints, axis.maxAxisPoints) == (len(table), len(table))
    mode = found["tune.engine.rpm_limiter_mode"]
    methods = {one.name: one for one in module.compu_method}
    states = methods[mode.conversion].compu_tab_ref.conversionTable
    pairs = next(one for one in module.compu_vtab if one.name == states).pairs
    assert [(pair.inVal, pair.outVal) for pair in pairs] == [(0, "injection-cut"), (1, "injection-limit")]
    assert [one.maxAxisPoints for one in module.axis_pts] == [len(engine.efficiency_rpm), len(table)]


def test_addresses_and_marks_are_those_of_every_run(module: Any, tmp_path: Path) -> None:
    """The file by GET_ID 4 has the same segment, and the bench the same EPK, as the command has written."""
    with running(tmp_path, "write: true", vehicle=VEHICLE) as (_, port), master(port) as xcp:
        served = xcp.identifier(4)
        for one in module.characteristic:
            if one.name.startswith("tune."):
                assert f"CHARACTERISTIC {one.name} " in served
                assert f"{one.type} {one.address:#x} " in served
        epk = module.mod_par.epk.identifier
        assert xcp.shortUpload(len(epk), module.mod_par.addr_epk[0].address) == epk.encode()


def test_the_segment_and_its_pages(module: Any, tmp_path: Path) -> None:
    """As pyxcp asks for them and the A2L file tells; every value of the reference page is that of the vehicle file."""
    (segment,) = module.mod_par.memory_segment
    with running(tmp_path, "write: true", vehicle=VEHICLE) as (_, port), master(port) as xcp:
        assert xcp.getPagProcessorInfo().maxSegments == 1
        assert xcp.getSegmentInfo(0, 0, 0, 0).basicInfo == segment.address
        assert xcp.getSegmentInfo(0, 0, 1, 0).basicInfo == segment.size
        assert xcp.getSegmentInfo(1, 0, 0, 0).maxPages == len(module.pages[-1]["PAGE"]) == 2
        assert xcp.getPageInfo(0, WORKING).properties.xcp_write_access
        assert not xcp.getPageInfo(0, REFERENCE).properties.xcp_write_access
        xcp.setCalPage(XCP, 0, REFERENCE)
        engine = load_vehicle(VEHICLE).settings.engine
        for name, one in characteristics(module).items():
            if name.startswith("tune.") and one.deposit == "RL_FLOAT":
                value = getattr(engine, name.rpartition(".")[2])
                values = value if isinstance(value, tuple) else (value,)
                raw = struct.pack(f"<{len(values)}f", *values)
                assert xcp.shortUpload(len(raw), one.address) == raw, name
        xcp.setMta(segment.address)
        whole = b"".join(xcp.shortUpload(4, segment.address + place) for place in range(0, segment.size, 4))
        xcp.setMta(segment.address)
        checked = xcp.buildChecksum(segment.size)
        assert (checked.checksumType, checked.checksum) == (CRC_32, zlib.crc32(whole))


def test_the_engine_is_calibrated_while_it_runs_and_a_replay_has_it(module: Any, tmp_path: Path) -> None:
    """A value at once, a curve as a page, the file again by its page; each is a command of the recording."""
    found = characteristics(module)
    torque = found["tune.engine.table_torque"]
    table = load_vehicle(VEHICLE).settings.engine.table_torque
    weak = tuple(round(value / 2, 3) for value in table)

    def changes() -> Any:
        with reached(tmp_path) as bench:
            return bench.status("engine")["engine"]["changes"]

    with running(tmp_path, "write: true", "--record", tmp_path / "recording", vehicle=VEHICLE) as (program, port):
        with master(port) as xcp:
            xcp.shortDownload(found["tune.engine.idle_rpm"].address, 0, struct.pack("<f", 1100.5))
            assert changes() == {"idle_rpm": 1100.5}
            xcp.setCalPage(ECU, 0, REFERENCE)
            assert changes() == {}
            assert xcp.getCalPage(ECU, 0) == REFERENCE
            for place, value in enumerate(weak):
                xcp.setMta(torque.address + 4 * place)
                xcp.download(struct.pack("<f", value))
            assert changes() == {}
            xcp.setCalPage(ECU, 0, WORKING)
            assert changes() == {"idle_rpm": 1100.5, "table_torque": list(weak)}
            with pytest.raises(XcpResponseError):
                xcp.shortDownload(found["tune.engine.idle_rpm"].address, 0, struct.pack("<f", 0.5))
            with pytest.raises(XcpResponseError):
                xcp.shortDownload(found["tune.engine.max_rpm"].address, 0, struct.pack("<f", 900.0))
            xcp.copyCalPage(0, REFERENCE, 0, WORKING)
            assert changes() == {}
            xcp.shortDownload(found["tune.engine.rpm_limiter_mode"].address, 0, struct.pack("<i", 1))
        with master(port) as xcp:
            assert xcp.shortUpload(4, found["tune.engine.rpm_limiter_mode"].address) == struct.pack("<i", 1)
        time.sleep(1.0)
        program.stop()
    tuned = [values for values in recorded(tmp_path / "recording", "tune-engine", "values") if "max_rpm" not in values]
    assert tuned == [
        {"idle_rpm": 1100.5},
        {},
        {"idle_rpm": 1100.5, "table_torque": list(weak)},
        {},
        {"rpm_limiter_mode": "injection-limit"},
    ]
    replayed = hilbridge("replay", tmp_path / "recording")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def recorded(recording: Path, command: str, key: str) -> list[Any]:
    """A key of each command of a kind in a recording."""
    lines = [json.loads(one.payload) for one in Recording(recording).records() if one.kind == COMMAND]
    return [line[key] for line in lines if line["command"] == command]


@pytest.mark.parametrize(("transport", "event", "name"), [("tcp", 1, "10 ms"), ("udp", 0, "tick")])
def test_inputs_are_stimulated_and_a_replay_has_them(tmp_path: Path, transport: str, event: int, name: str) -> None:
    """pyxcp allocates and starts the list and frames its packets; the pedal goes up in steps and stays at the last."""
    throttle, brake = 0x10004, 0x10008
    rows = Rows([daq_list("pedals", event, {"Throttle": throttle, "Brake": brake}, stim=True)])
    keys = (f"write: true\n  transport: {transport}", "--record", tmp_path / "recording")
    with running(tmp_path, *keys) as (program, port):
        with master(port, transport.upper(), policy=rows) as xcp:
            with reached(tmp_path):
                info = xcp.getDaqInfo()
            assert xcp.slaveProperties.supportsStim
            assert info["channels"][event]["name"] == name
            rows.setup()
            rows.start()
            (odt,) = rows.daq_lists[0].measurements_opt
            assert [(one.address, one.length) for one in odt.entries] == [(throttle, 8)]
            for step in range(STEPS):
                xcp.transport.block_request(FakeEnum(0), 0, *struct.pack("<ii", 50 * step, 0))
                time.sleep(0.01)
            last = struct.pack("<ii", 50 * (STEPS - 1), 0)
            deadline = time.monotonic() + PATIENCE
            while xcp.shortUpload(8, throttle) != last:
                assert time.monotonic() < deadline
            time.sleep(4.0)
            assert xcp.shortUpload(8, throttle) == last
            rows.stop()
        statistics = program.stop()["xcp"][transport]
    held = recorded(tmp_path / "recording", "set", "value")
    steps = [value for number, value in enumerate(held) if number == 0 or value != held[number - 1]]
    assert steps == sorted(steps)
    assert len(steps) > STEPS / 4
    assert statistics["stimulated"] >= len(steps)
    assert statistics["late"] > 0
    replayed = hilbridge("replay", tmp_path / "recording")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
