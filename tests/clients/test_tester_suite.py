"""The suite of what a tester must survive: a patient tester passes all of it, one that asks once does not."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from hilbridge.files.configuration.scenariofile import find_scenarios
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from .testers import ENGINE_11, diagnostics_bench
from .virtual_tester import BUS, VirtualTester, time_of

SUITE = [Path(name) for name in find_scenarios(["tester"])]
RATE = 200

P2, P2_STAR, PAUSE = 0.2, 0.5, 0.2
BEGIN = 0.5
LONGEST = 5.0
"""[s] for which it lets itself be put off."""

SESSION, VIN, WORKSHOP = b"\x10\x03", b"\x22\xf1\x90", b"\x2e\xf1\x98WORKSHOP-02"
STACK = {"rx_flowcontrol_timeout": 300, "rx_consecutive_frame_timeout": 300, "wftmax": 10}


class Workshop:
    """A tester that reads and writes in turn: it waits, listens to its own answers alone, and asks again."""

    def __init__(self, tester: VirtualTester, questions: Sequence[bytes], *, insists: bool) -> None:
        self._tester = tester
        self._questions = questions
        self._insists = insists
        self._next = 0
        self._asked: bytes | None = None
        self._due = self._limit = BEGIN

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        return self._tester.receive(frame, t)

    def tick(self, t: float) -> list[Frame]:
        answer = self._tester.logic.recv()
        if self._asked is not None and answer is not None:
            self._judge(bytes(answer), self._asked, t)
        if t >= self._due:
            if self._asked is not None:  # nothing has come
                self._asked = None
                self._next -= 1 if self._insists else 0
            if self._insists or self._next < len(self._questions):
                self._ask(t)
        return self._tester.tick(t)

    def _ask(self, t: float) -> None:
        self._asked = self._questions[self._next % len(self._questions)]
        self._next += 1
        self._due, self._limit = t + (P2 if len(self._asked) < 8 else P2 + LONGEST / 2), t + LONGEST
        if self._tester.logic.transmitting():
            self._tester.logic.stop_sending()
        self._tester.logic.send(self._asked)

    def _judge(self, answer: bytes, asked: bytes, t: float) -> None:
        refused = answer[0] == 0x7F and answer[1] == asked[0]
        if refused and answer[2] == 0x78:
            self._due = min(t + P2_STAR, self._limit)
        elif refused and answer[2] == 0x21:
            self._next -= 1
            self._pause(t)
        elif refused and answer[2] == 0x7F:  # the session is gone
            self._next = self._questions.index(SESSION) if SESSION in self._questions else self._next
            self._pause(t)
        elif refused or answer.startswith(bytes((asked[0] | 0x40,)) + asked[1:2]):
            self._pause(t)

    def _pause(self, t: float) -> None:
        self._asked, self._due = None, t + PAUSE


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return diagnostics_bench(tmp_path_factory.mktemp("bench"), ("rate: 1000", f"rate: {RATE}"))


@pytest.fixture(scope="module")
def patient(file: Path) -> Iterator[VirtualBench]:
    """A bench with a tester that goes on from scenario to scenario, as it does on a running bench."""
    with with_tester(file, (SESSION, VIN, WORKSHOP), insists=True) as made:
        yield made


@contextmanager
def with_tester(file: Path, questions: Sequence[bytes], *, insists: bool) -> Iterator[VirtualBench]:
    with VirtualBench(file, seed=3) as bench, time_of(bench):
        bench.attach(BUS, Workshop(VirtualTester(bench, ENGINE_11, STACK), questions, insists=insists))
        yield bench


@pytest.mark.parametrize("scenario", SUITE, ids=lambda path: path.stem)
def test_a_patient_tester_survives(patient: VirtualBench, scenario: Path) -> None:
    report = patient.play(scenario)
    assert report.passed, [(row.title, row.seen) for row in report.rows]


OF_WRITERS = {f"flow-control-{what}" for what in ("waits", "overflows", "never-comes", "from-elsewhere")}


def test_what_a_reading_tester_cannot_show_is_not_tried(file: Path) -> None:
    """It neither writes nor enters a session. All of the suite takes it less than the minute that the guide says."""
    with with_tester(file, [VIN], insists=True) as bench:
        verdicts = {scenario.stem: bench.play(scenario).verdict for scenario in SUITE}
        assert bench.time < 60
    assert {name for name, verdict in verdicts.items() if verdict == "not tried"} == {*OF_WRITERS, "lost-session"}
    assert {verdict for name, verdict in verdicts.items()} == {"passed", "not tried"}


def test_a_silent_tester_is_told(file: Path) -> None:
    with with_tester(file, [VIN], insists=False) as bench:
        assert bench.play(SUITE[0]).passed
        assert bench.play(SUITE[1]).is_silent


@pytest.mark.parametrize(("name", "survives"), [("wrong-padding", True), ("missing", False), ("lost-frame", False)])
def test_who_asks_once_survives_less(file: Path, tmp_path: Path, name: str, survives: bool) -> None:
    """Where the first answer is spoilt for good, a second request is missed."""
    (scenario,) = (each for each in SUITE if each.stem == name)
    text = scenario.read_text(encoding="utf-8").replace("again: 10", "again: 2")
    (tmp_path / scenario.name).write_text(text, encoding="utf-8")
    with with_tester(file, [VIN], insists=False) as bench:
        report = bench.play(tmp_path / scenario.name)
    assert report.passed is survives
    if not survives:
        missed = next(row for row in report.rows if not row.outcome.is_good)
        assert missed.title == "It asks again"
