"""A PDX as a control unit: what is read, what is told, and what is refused; odxtools is the tester."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH as BUNDLED
from hilbridge.files.configuration.bundle import bundle
from hilbridge.files.odx import package
from hilbridge.files.odx.reader import OdxAccount, read_odx
from hilbridge.testing import VirtualBench

from ....odx_files import BENCH, DOCUMENT, DOPS, SERVICES, document
from ....odx_files import package as pack
from ....odx_tester import load, talk

FILES: dict[str, str | bytes] = {"box.odx-d": DOCUMENT, "job.jar": b"program"}
UNREAD = {
    "routine_of_the_tester": "is a job, a program of the tester",
    "seed": "needs 'security' of 'uds', which no file of this kind has",
    "bcd": "day is encoded as BCD-P",
    "overlap": "one and two share bits",
}


def read(folder: Path, content: bytes | str | None = None, **own: Any) -> OdxAccount:
    path = folder / "car.pdx"
    data = pack(FILES) if content is None else content
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_odx(path, None, **{"obd": False, "vin": False, **own})


def bench(folder: Path, keys: str = "", odx: str = "car.pdx") -> Path:
    (folder / "car.pdx").write_bytes(pack(FILES))
    (folder / "odx.yaml").write_text(BENCH.format(odx=odx, keys=keys and f", {keys}"))
    return folder / "odx.yaml"


def test_what_is_read_is_counted_and_what_is_not_is_told(tmp_path: Path) -> None:
    account = read(tmp_path)
    assert account.unread == UNREAD
    assert account.counts == {"identifier": 2, "session": 3, "routine": 1, "code": 3, "answer": 2}
    assert account.describe() == (
        "car.pdx, unit: 12 of 16 services: 2 identifiers, 3 sessions, 1 routine, 3 codes, 2 answers, "
        "2 services that the server has by itself"
    )
    assert "no value in the file for 9 fields: the lowest that it allows" in account.doubts()
    assert account.keys["codes"] == {
        "P0301": {"text": "fault 030100", "failure_type": 0, "emission": False},
        "C0100": {"text": "fault 410014", "failure_type": 0x14, "emission": False},
        "U0100": {"text": "fault C10087", "failure_type": 0x87, "emission": False},
    }
    assert set(account.keys["uds"]["sessions"]) == {"01", "03", "60"}


def test_odxtools_gets_the_answers_that_it_expects(tmp_path: Path) -> None:
    """Every service that was read is answered, and decodes to the file's own values: defaults, or the lowest."""
    with VirtualBench(bench(tmp_path), seed=1) as car:
        car.set("input.Key", 1)
        car.advance(0.5)
        layer: Any = load(tmp_path / "car.pdx").base_variants["unit"]
        heard = {one.name: one for one in talk(layer, lambda request: car.uds(request, ecu="door"))}
        assert [one for one in heard.values() if one.error and one.name not in UNREAD] == []
        engine = heard["read_engine"].decoded
        values = {name: engine[name] for name in ("temperature", "speed", "torque", "gear", "flag", "ratio")}
        assert values == {"temperature": -40, "speed": 812.5, "torque": 0, "gear": "neutral", "flag": 0, "ratio": 0}
        assert heard["read_part"].decoded["part"] == "1K0907115A"
        assert heard["any_channel"].decoded["channel"] == 0
        assert car.uds(bytes.fromhex("A1 7F"), ecu="door") == bytes.fromhex("E1 7F 00 00")
        assert car.uds(bytes.fromhex("22 02 00"), ecu="door") == bytes.fromhex("7F 22 31")
        assert car.uds(bytes.fromhex("11 01"), ecu="door") == bytes.fromhex("7F 11 11")


def test_the_bench_says_where_values_come_from(tmp_path: Path) -> None:
    """Keys of the bench win, field by field; odxtools reads the model's engine speed and temperature."""
    keys = (
        "uds: {identifiers: {'0100': {fields: {speed: {from: vehicle.EngineRpm}, "
        "temperature: {from: auxiliary.CoolantTemperature}}}}}"
    )
    with VirtualBench(bench(tmp_path, keys), seed=1) as car:
        car.set("input.Key", 1)
        car.advance(3.0)
        layer: Any = load(tmp_path / "car.pdx").base_variants["unit"]
        service = layer.services["read_engine"]
        answer = car.uds(bytes(service.encode_request()), ecu="door")
        decoded = service.positive_responses[0].decode(answer)
        assert decoded["speed"] == pytest.approx(car.read("vehicle.EngineRpm"), abs=0.13)
        assert decoded["temperature"] == pytest.approx(car.read("auxiliary.CoolantTemperature"), abs=0.51)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    with VirtualBench(bench(tmp_path), seed=1) as car:
        car.set("input.Key", 1)
        car.advance(0.5)
        services: Any = load(tmp_path / "car.pdx").base_variants["unit"].services
        assert car.uds(bytes(services["write_part"].encode_request(part="3C0907379Q")), ecu="door")[0] == 0x6E
        answer = car.uds(bytes(services["read_part"].encode_request()), ecu="door")
        assert services["read_part"].positive_responses[0].decode(answer)["part"] == "3C0907379Q"


def test_a_recording_needs_no_database(tmp_path: Path) -> None:
    """The bundle has the keys, not the file: whoever replays it needs no odxtools."""
    files = bundle(load_bench(str(bench(tmp_path))))
    assert b"odx:" not in files[BUNDLED]
    (tmp_path / "copy").mkdir()
    for name, content in files.items():
        (tmp_path / "copy" / name).write_bytes(content)
    copied = load_bench(str(tmp_path / "copy" / BUNDLED)).settings.diagnostics.units["door"]
    original = load_bench(str(tmp_path / "odx.yaml")).settings.diagnostics.units["door"]
    assert copied == original.model_copy(update={"odx": None})


def test_services_of_the_bench_are_not_the_file_s(tmp_path: Path) -> None:
    account = read(tmp_path, own=["security"])
    assert "seed" not in account.unread
    assert "27" in account.keys["uds"]["sessions"]["01"]["services"]


@pytest.mark.parametrize(
    ("odx", "reason"),
    [
        ("nowhere.pdx", "cannot be read: No such file or directory"),
        ("{file: car.pdx, variant: door}", "has no variant 'door'"),
    ],
)
def test_a_bench_says_where_its_database_is_wrong(tmp_path: Path, odx: str, reason: str) -> None:
    with pytest.raises(InvalidFileError) as error:
        load_bench(str(bench(tmp_path, odx=odx)))
    assert str(error.value).startswith(f"{tmp_path}/odx.yaml:7: diagnostics.units.door.odx: ")
    assert reason in str(error.value)


def bomb() -> bytes:
    return pack({"box.odx-d": b" " * (package.MOST_BYTES + 1)})


def encrypted() -> bytes:
    content = bytearray(pack(FILES))
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1
    return bytes(content)


def twice() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("box.odx-d", DOCUMENT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("box.odx-d", DOCUMENT)
    return content.getvalue()


ENTITIES = '<!DOCTYPE ODX [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
HOSTILE: dict[str, tuple[Any, str]] = {
    "bomb": (bomb, "unpacks to 256 MiB"),
    "traversal": (lambda: pack({"../../etc/car.odx-d": DOCUMENT}), "has a file outside of the package"),
    "absolute": (lambda: pack({"/etc/car.odx-d": DOCUMENT}), "has a file outside of the package"),
    "backslashes": (lambda: pack({"..\\car.odx-d": DOCUMENT}), "has a file outside of the package"),
    "entities": (lambda: pack({"box.odx-d": ENTITIES + DOCUMENT}), "declares a document type"),
    "external entity": (lambda: f'<!DOCTYPE ODX SYSTEM "file:///etc/passwd">{DOCUMENT}', "declares a document type"),
    "elements": (lambda: pack({"box.odx-d": f"<ODX>{'<A/>' * 1_000_000}</ODX>"}), "has more than 500000 elements"),
    "depth": (lambda: pack({"box.odx-d": "<A>" * 5000 + "</A>" * 5000}), "is nested deeper than 200 elements"),
    "members": (lambda: pack({f"{n}.odx-d": "<A/>" for n in range(1001)}), "has 1001 files"),
    "twice": (twice, "has 'box.odx-d' twice"),
    "encrypted": (encrypted, "is encrypted"),
    "cut": (lambda: pack(FILES)[:200], "is no PDX package"),
    "nothing": (lambda: b"", "is no XML"),
    "garbage": (lambda: bytes(range(256)) * 20, "is no XML"),
    "empty package": (lambda: pack({}), "holds no ODX document"),
    "no document": (lambda: pack({"job.jar": b"x"}), "holds no ODX document"),
    "another root": (lambda: pack({"box.odx-d": "<A><B/></A>"}), "variant"),
    "encoding": (lambda: b'<?xml version="1.0" encoding="utf-99"?><ODX/>', "is no XML"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_package_is_refused_in_bounds(tmp_path: Path, kind: str) -> None:
    make, reason = HOSTILE[kind]
    with pytest.raises(ConfigurationError, match=str(tmp_path)) as error:
        read(tmp_path, make())
    assert reason in str(error.value)
    assert "Traceback" not in str(error.value)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "car.pdx")
    with pytest.raises(ConfigurationError, match="is no regular file"):
        read_odx(tmp_path / "car.pdx", None, obd=False, vin=False)


def test_a_large_file_within_the_bounds_is_read(tmp_path: Path) -> None:
    """Two thousand identifiers, 60,000 elements: what a control unit of a car has."""
    services = {f"read_{n:04X}": (SERVICES["read_engine"][0], SERVICES["read_engine"][1]) for n in range(2000)}
    text = document(services, DOPS)
    for n in range(2000):
        text = text.replace("<CODED-VALUE>0</CODED-VALUE>", f"<CODED-VALUE>{n % 250 + 1}</CODED-VALUE>", 2)
    account = read(tmp_path, pack({"box.odx-d": text}))
    assert account.services == 2000


def test_without_odxtools_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "car.pdx").write_bytes(pack(FILES))
    program = (
        "import sys; sys.modules['odxtools'] = None\n"
        "from hilbridge.files.odx.child import read\n"
        "from hilbridge.base.common.errors import ConfigurationError\n"
        "try: read(sys.stdin.buffer.read(), None, [], obd=False, vin=False)\n"
        "except ConfigurationError as error: print(error)"
    )
    with (tmp_path / "car.pdx").open("rb") as file:
        done = subprocess.run([sys.executable, "-c", program], stdin=file, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "needs odxtools: pip install 'hilbridge[odx]'"
