"""Faults of diagnostics as udsoncan and can-isotp see them: each under its own name, and afterwards none."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from udsoncan.client import Client
from udsoncan.exceptions import NegativeResponseException, TimeoutException, UnexpectedResponseException
from udsoncan.typing import ClientConfig

from hilbridge.testing import VirtualBench

from .testers import VIN, diagnostics_bench
from .virtual_tester import VirtualTester, virtual_tester

N_TIMEOUT = 150
"""[ms] N_Bs and N_Cr of the tester."""

ST_MIN = 20
"""[ms] that the tester asks for."""

STACK: dict[str, Any] = {
    "stmin": ST_MIN,
    "rx_flowcontrol_timeout": N_TIMEOUT,
    "rx_consecutive_frame_timeout": N_TIMEOUT,
    "wftmax": 5,
}
N_BS_OF_THE_UNIT = 1.01
"""[s] for which it waits for flow control that does not come."""

PATIENCE: ClientConfig = {"p2_timeout": 0.3, "p2_star_timeout": 0.3, "request_timeout": 0.6}
"""[s]"""

EXTENDED = 3
READ_VIN = "read F190"
SOFTWARE = "ENG-1.0.0"


class Case(NamedTuple):
    """What is asked, the exception of udsoncan or the answer, and the first error of can-isotp."""

    fault: str
    outcome: Any
    error: str = ""
    asked: str = READ_VIN


CASES = (
    Case("late delay=100", VIN),
    Case("late delay=400", TimeoutException),
    Case("missing", TimeoutException),
    Case("pending count=3", VIN),
    Case("pending", TimeoutException),
    Case("refuse code=0x22", "ConditionsNotCorrect"),
    Case("refuse code=0x21 service=0x2E", "BusyRepeatRequest", asked="write"),
    Case("reset", TimeoutException, "ConsecutiveFrameTimeout"),
    Case("reset frame=0", TimeoutException),
    Case("lost-frame", TimeoutException, "WrongSequenceNumber"),
    Case("lost-frame frame=2", TimeoutException, "ConsecutiveFrameTimeout"),
    Case("lost-frame frame=0", TimeoutException),
    Case("doubled-frame", TimeoutException, "WrongSequenceNumber"),
    Case("swapped-frames", TimeoutException, "WrongSequenceNumber"),
    Case("wrong-sequence", TimeoutException, "WrongSequenceNumber"),
    Case("second-unit", EXTENDED ^ 0xFF, asked="read F186"),
    Case("second-unit", TimeoutException, "ReceptionInterruptedWithFirstFrame"),
    Case("wrong-padding value=0x55", EXTENDED, asked="read F186"),
    Case("wrong-dlc length=2", TimeoutException, "InvalidCanData", "read F186"),
    Case("wrong-length amount=3", TimeoutException, "ConsecutiveFrameTimeout"),
    Case("wrong-length amount=5", TimeoutException, "InvalidCanData", "read F186"),
    Case("wrong-pace block_size=1", TimeoutException, "ConsecutiveFrameTimeout"),
    Case("wrong-pace st_min=200", TimeoutException, "ConsecutiveFrameTimeout"),
    Case("wait count=3 interval=20", "written", asked="write"),
    Case("wait interval=20", TimeoutException, "MaximumWaitFrameReached", "write"),
    Case("overflow", TimeoutException, "Overflow", "write"),
    Case("no-flow-control", TimeoutException, "FlowControlTimeout", "write"),
    Case("foreign-flow-control can_id=0x7E9", TimeoutException, "FlowControlTimeout", "write"),
    Case("babble interval=1", UnexpectedResponseException),
)


TICK = 0.005
"""[s] Longer ones than the bench has, for there are many to wait for."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return diagnostics_bench(tmp_path_factory.mktemp("bench"), ("rate: 1000", f"rate: {round(1 / TICK)}"))


@pytest.fixture(scope="module")
def bench(file: Path) -> Iterator[VirtualBench]:
    with VirtualBench(file, seed=3) as made:
        made.set("input.Key", 0)
        made.advance(0.1)
        yield made


@pytest.fixture(scope="module")
def tester(bench: VirtualBench) -> Iterator[tuple[Client, VirtualTester]]:
    with virtual_tester(bench, parameters=STACK) as (client, connection):
        client.set_configs(PATIENCE)
        yield client, connection


def asked(client: Client, what: str) -> Any:
    """The answer, the exception's class, or the name of the refusal."""
    questions: dict[str, Callable[[], Any]] = {
        READ_VIN: lambda: client.read_data_by_identifier_first(0xF190),
        "read F186": lambda: client.read_data_by_identifier_first(0xF186),
        "write": lambda: client.write_data_by_identifier(0xF198, "WORKSHOP-02") and "written",
        "session": lambda: client.change_session(EXTENDED) and "changed",
        "unlock": lambda: client.unlock_security_access(1) and "unlocked",
    }
    try:
        return questions[what]()
    except NegativeResponseException as refused:
        return refused.response.code_name
    except (TimeoutException, UnexpectedResponseException) as error:
        return type(error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.fault}, {case.asked}")
def test_each_fault_is_seen_as_what_it_is(
    bench: VirtualBench, tester: tuple[Client, VirtualTester], case: Case
) -> None:
    """And when it is over, the tester reads and writes as before."""
    client, connection = tester
    assert [asked(client, what) for what in ("session", "unlock")] == ["changed", "unlocked"]
    number = bench.fault(f"diagnostics engine {case.fault}")
    try:
        bench.advance(TICK)
        connection.errors.clear()
        assert asked(client, case.asked) == case.outcome
        bench.advance(N_TIMEOUT / 1000 + 0.05)
        assert connection.errors[:1] == ([case.error] if case.error else connection.errors[:1])
        (row,) = (one for one in bench.command("fault-list")["faults"] if one["fault"] == number)
        assert row["hits"] >= 1
    finally:
        bench.clear(number)
        bench.advance(N_BS_OF_THE_UNIT)
    assert [asked(client, what) for what in ("session", "unlock", "write")] == ["changed", "unlocked", "written"]
    assert asked(client, READ_VIN) == VIN


def test_a_session_that_drops_is_told_by_a_refusal(bench: VirtualBench, tester: tuple[Client, VirtualTester]) -> None:
    client, _ = tester
    number = bench.fault("diagnostics engine lost-session service=0x10 delay=50")
    assert asked(client, "session") == "changed"
    bench.advance(0.06)
    assert asked(client, "unlock") == "ServiceNotSupportedInActiveSession"
    bench.clear(number)


def pauses(heard: Sequence[tuple[float, bytes]]) -> list[float]:
    """[s] between frames."""
    return [round(later - earlier, 6) for (earlier, _), (later, _) in pairwise(heard)]


def test_padding_and_pace_are_seen_in_the_frames(bench: VirtualBench, tester: tuple[Client, VirtualTester]) -> None:
    """The tester does not mind them; its list of frames has them."""
    client, connection = tester
    number = bench.fault("diagnostics engine wrong-padding value=0x55")
    connection.heard.clear()
    assert client.read_data_by_identifier_first(0xF195) == SOFTWARE
    assert connection.heard[-1][1].endswith(b"\x55")
    bench.clear(number)
    heard = []
    for fault in ("late delay=1", "wrong-pace st_min=0"):
        number = bench.fault(f"diagnostics engine {fault}")
        bench.advance(TICK)
        connection.heard.clear()
        assert asked(client, READ_VIN) == VIN
        heard.append(pauses(connection.heard[1:]))
        bench.clear(number)
    polite, hasty = heard
    assert min(polite) * 1000 >= ST_MIN > max(hasty) * 1000


def read_often(file: Path, seed: int) -> list[Any]:
    """Ten times the VIN, from which chance takes a frame."""
    with VirtualBench(file, seed=seed) as car:
        car.set("input.Key", 0)
        with virtual_tester(car, parameters=STACK) as (client, _):
            client.set_configs(PATIENCE)
            return [asked(client, READ_VIN) for _ in range(10)]


def test_the_same_seed_gives_the_same_life(tmp_path: Path) -> None:
    """Another one another; the fault is one of the bench file."""
    fault = "{kind: diagnostics, unit: engine, effect: lost-frame, probability: 0.5}"
    rate = "rate: 1000", f"rate: {round(1 / TICK)}"
    file = diagnostics_bench(tmp_path, rate, ("inputs:\n", f"faults:\n  - {fault}\n\ninputs:\n"))
    first = read_often(file, 1)
    assert set(first) == {VIN, TimeoutException}
    assert first == read_often(file, 1) != read_often(file, 2)
