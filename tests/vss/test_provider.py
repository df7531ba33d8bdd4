"""The provider, as a stub of a databroker and the client of Eclipse KUKSA see it: kuksa.val.v2 over gRPC.

For an environment of its own, with kuksa-client in it: `make test-vss`. No databroker was asked: none is on PyPI.
"""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from kuksa_client.grpc.aio import VSSClient

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.talks import EntryValue, UnreachableError, Values
from hilbridge.faces.vss.broker import BrokerError
from hilbridge.faces.vss.provider import Provider
from hilbridge.faces.vss.signals import signals_of
from hilbridge.faces.vss.target import Target
from hilbridge.files.configuration.vss import load_vss

from ..program import PATIENCE, running
from .databroker import Databroker, metadata, served
from .facts import FACTS

TREE: Final = yaml.safe_load(FACTS.read_text(encoding="utf-8"))
SIGNALS: Final = signals_of(load_vss())
SPEED: Final = "Vehicle.Speed"

BENCH: Final = """\
name: seen
rate: 100
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
inputs:
  - {{source: demo-driver}}
"""


class FakeBench:
    """Stands in for the client of a bench, with the one method that a provider needs: it can do no more than look.

    `values_now` None: the bench is gone. `asked`: how often it was looked at.
    """

    def __init__(self, **values: float) -> None:
        self.asked = 0
        self.values_now: dict[str, EntryValue] | None = {}
        self.set(**values)

    def set(self, **values: float) -> None:
        self.values_now = {name.replace("_", "."): EntryValue(value, "") for name, value in values.items()}

    async def values(self) -> Values:
        self.asked += 1
        if self.values_now is None:
            raise UnreachableError("no daemon can be reached")
        return Values(1.0, self.values_now)


@asynccontextmanager
async def provided(
    bench: FakeBench, port: int, said: list[str], token: str | None = None, root: Path | None = None, rate: float = 20
) -> AsyncIterator[Provider]:
    """A provider at work; its end is asked for and awaited."""
    name = None if root is None else "localhost"
    target = Target(port=port, token=token, root=root, name=name)
    provider, stop = Provider(bench, target, SIGNALS, rate, said.append), asyncio.Event()  # type: ignore[arg-type]
    task = asyncio.create_task(provider.run(stop))
    try:
        yield provider
    finally:
        stop.set()
        await asyncio.wait_for(task, PATIENCE)


def carried_out(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), PATIENCE))


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def test_kuksas_client_hears_what_changes_and_in_the_end_that_there_is_nothing() -> None:
    """10 m/s are 36 km/h, 0.5 is 50 %, 1500 rpm are a running engine; what nobody measures is None."""

    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(), list[str]()
        bench.set(vehicle_Speed=10.0, vehicle_EngineRpm=1500.0, input_Throttle=0.5, body_Wiper=1)
        pedal = "Vehicle.Chassis.Accelerator.PedalPosition"
        wiper = "Vehicle.Body.Windshield.Front.Wiping.Mode"
        running = "Vehicle.Powertrain.CombustionEngine.IsRunning"
        battery = "Vehicle.LowVoltageBattery.CurrentVoltage"
        async with served(stub) as port, VSSClient("127.0.0.1", port, ensure_startup_connection=False) as client:
            async with provided(bench, port, said):
                await stub.wait(1)
                heard = client.subscribe_current_values([SPEED, pedal, wiper, running, battery])
                first = {path: point and point.value for path, point in (await anext(heard)).items()}
                assert first == {SPEED: 36.0, pedal: 50, wiper: "INTERVAL", running: True, battery: None}
                bench.set(vehicle_Speed=20.0, vehicle_EngineRpm=1500.0, input_Throttle=0.5, body_Wiper=1)
                second = await anext(heard)
                assert {path: point.value for path, point in second.items()} == {SPEED: 72.0}
            last = await anext(heard)
            assert {path: point and point.value for path, point in last.items()}[SPEED] is None
        assert stub.told == [len(SIGNALS), 1, 6]  # all; what has changed; of four entries, two of them twice
        assert said[0].startswith(f"provides {len(SIGNALS)} signals of the databroker at 127.0.0.1:")

    carried_out(work)


def test_its_rate_is_what_it_claims_and_no_message_is_sent_without_a_change() -> None:
    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(vehicle_Speed=1.0), list[str]()
        async with served(stub) as port, provided(bench, port, said, rate=10) as provider:
            await stub.wait(1)
            assert {*stub.intervals.values()} == {100}
            assert len(stub.intervals) == len(SIGNALS)
            looks = bench.asked
            await until(lambda: bench.asked >= looks + 3)
            assert provider.publication.messages == len(stub.told) == 1

    carried_out(work)


def test_a_databroker_that_asks_is_answered_with_the_newest_values() -> None:
    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(vehicle_Speed=10.0), list[str]()
        number = next(one.id for one in stub.signals.values() if one.path == SPEED)
        async with served(stub) as port, provided(bench, port, said):
            await stub.wait(1)
            reply = await stub.ask(number, 999_999)
            assert reply.request_id == 3
            assert {one: point.value.float for one, point in reply.entries.items()} == {number: 36.0}

    carried_out(work)


def test_what_is_another_thing_there_is_not_provided_and_what_is_missing_is_told() -> None:
    """A speed in mph, an odometer as text, and half of the tree."""

    async def work() -> None:
        signals = metadata(TREE)[: len(SIGNALS) // 2]
        by_path = {one.path: one for one in signals}
        by_path[SPEED].unit = "mph"
        by_path["Vehicle.TraveledDistance"].data_type = 1
        by_path["Vehicle.IsMoving"].path = "Vehicle.IsSomething\x1b[2J"
        stub, bench, said = Databroker(signals), FakeBench(vehicle_Speed=10.0), list[str]()
        async with served(stub) as port, provided(bench, port, said):
            await stub.wait(1)
        assert SPEED not in stub.values
        text = said[0]
        assert f"provides {len(signals) - 3} signals" in text
        assert "1 signal there have no value" in text
        assert f"{len(SIGNALS) - len(signals) + 1} paths it does not have: Vehicle.IsMoving, " in text
        assert "not provided: Vehicle.Speed: in mph there, in km/h here" in text
        assert "not provided: Vehicle.TraveledDistance: string there, uint32 here" in text

    carried_out(work)


def test_a_refused_value_is_told_once_and_counted_and_the_others_go_on() -> None:
    async def work() -> None:
        signals = metadata(TREE)
        next(one for one in signals if one.path == SPEED).max.float = 50.0
        stub, bench, said = Databroker(signals), FakeBench(vehicle_Speed=20.0), list[str]()
        async with served(stub) as port, provided(bench, port, said) as provider:
            await until(lambda: provider.publication.refusals == 1)
            bench.set(vehicle_Speed=20.0, vehicle_EngineRpm=900.0)
            await stub.wait(2)
            assert stub.values["Vehicle.Powertrain.CombustionEngine.Speed"].value.float == 900.0
        assert [one for one in said if "refuses" in one] == [
            "the databroker refuses Vehicle.Speed: INVALID_ARGUMENT: 72.0 is above the bounds"
        ]
        assert provider.summary().endswith("1 refused")

    carried_out(work)


def test_a_bench_that_is_gone_leaves_no_value_behind_and_may_come_back() -> None:
    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(vehicle_Speed=10.0), list[str]()
        async with served(stub) as port, provided(bench, port, said):
            await stub.wait(1)
            bench.values_now = None
            await stub.wait(2)
            assert stub.values[SPEED].value.WhichOneof("typed_value") is None
            bench.set(vehicle_Speed=5.0)
            await stub.wait(3)
            assert stub.values[SPEED].value.float == 18.0
        assert [one for one in said if "answers" in one] == [
            "no daemon can be reached; every path is without a value until it answers",
            "the bench answers again",
        ]

    carried_out(work)


def test_a_databroker_that_comes_back_is_told_everything_anew() -> None:
    async def work() -> None:
        bench, said = FakeBench(vehicle_Speed=10.0), list[str]()
        first, second = Databroker(metadata(TREE)), Databroker(metadata(TREE, first=500))
        async with served(first) as port:
            provider = provided(bench, port, said)
            await provider.__aenter__()
            await first.wait(1)
        async with served(second, port=port):
            await second.wait(1)
            assert second.values[SPEED].value.float == 36.0
            await provider.__aexit__(None, None, None)
        assert sum(one.startswith("provides") for one in said) == 2
        assert any(one.endswith("another attempt each second") for one in said)

    carried_out(work)


@pytest.mark.parametrize(
    ("stub", "reason"),
    [
        (Databroker(metadata(TREE), token="right"), "UNAUTHENTICATED"),
        (Databroker([]), "NOT_FOUND, 'no such branch'"),
        (None, "UNAVAILABLE"),
    ],
    ids=["token", "another tree", "nobody"],
)
def test_at_the_start_what_is_wrong_ends_it_with_the_reason(stub: Databroker | None, reason: str) -> None:
    async def work() -> None:
        bench = FakeBench()
        async with served(stub or Databroker([])) as port:
            target = Target(port=1 if stub is None else port, token="wrong")
            provider = Provider(bench, target, SIGNALS, 10, print)  # type: ignore[arg-type]
            with pytest.raises(BrokerError, match=f"no databroker at 127.0.0.1:.*{reason}"):
                await provider.run(asyncio.Event())
            bench.values_now = None
            with pytest.raises(ConfigurationError, match="no daemon"):
                await provider.run(asyncio.Event())

    carried_out(work)


def test_two_providers_of_one_signal_are_refused() -> None:
    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(), list[str]()
        async with served(stub) as port, provided(bench, port, said):
            await stub.wait(1)
            other = Provider(bench, Target(port=port), SIGNALS, 10, said.append)  # type: ignore[arg-type]
            with pytest.raises(BrokerError, match="ALREADY_EXISTS, 'there is a provider'"):
                await other.run(asyncio.Event())

    carried_out(work)


def test_a_proxy_of_the_environment_is_not_asked_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("grpc_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_grpc_proxy", "example.org")

    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE), token="right"), FakeBench(vehicle_Speed=1.0), list[str]()
        async with served(stub) as port, provided(bench, port, said, token="right"):
            await stub.wait(1)

    carried_out(work)


def test_a_token_goes_by_tls_and_a_certificate_of_another_root_is_refused(tmp_path: Path) -> None:
    key, certificate = certified()
    root, other = tmp_path / "root.pem", tmp_path / "other.pem"
    root.write_bytes(certificate)
    other.write_bytes(certified()[1])

    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE), token="right"), FakeBench(vehicle_Speed=10.0), list[str]()
        async with served(stub, grpc.ssl_server_credentials([(key, certificate)])) as port:
            async with provided(bench, port, said, token="right", root=root):
                await stub.wait(1)
                assert stub.values[SPEED].value.float == 36.0
            target = Target(port=port, root=other, name="localhost", token="right")
            with pytest.raises(BrokerError, match=r"no databroker at .*UNAVAILABLE"):
                await Provider(bench, target, SIGNALS, 10, print).run(asyncio.Event())  # type: ignore[arg-type]

    carried_out(work)


def certified() -> tuple[bytes, bytes]:
    """A key, and the certificate for localhost that it has signed itself: PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    return private, certificate.public_bytes(pem)


def test_the_command_publishes_a_running_bench_and_says_in_the_end_what_it_did(tmp_path: Path) -> None:
    file, path = tmp_path / "bench.yaml", tmp_path / "control.sock"
    file.write_text(BENCH.format(folder=tmp_path), encoding="utf-8")

    async def work() -> None:
        stub = Databroker(metadata(TREE))
        async with served(stub) as port:
            command = ("-m", "hilbridge", "vss", str(path), "--broker", f"127.0.0.1:{port}")
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
            await stub.wait(3)
            temperature = stub.values["Vehicle.Exterior.AirTemperature"].value.float
            process.send_signal(signal.SIGTERM)
            out, err = await process.communicate()
            assert (process.returncode, err) == (0, b"")
        assert temperature == 20.0  # road.AmbientTemperature at rest, sim/vehiclesim/entries.csv
        lines = out.decode().splitlines()
        assert lines[0].startswith(f"provides {len(SIGNALS)} signals")
        assert lines[-1].endswith("messages, none refused")
        assert stub.values[SPEED].value.WhichOneof("typed_value") is None

    with running(file) as program:
        program.wait_for("ready")
        carried_out(work)
        program.stop()
