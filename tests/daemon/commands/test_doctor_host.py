"""What makes ticks late, on a machine that the test makes up below a folder."""

from pathlib import Path

import pytest

from hilbridge.commands import doctor_host
from hilbridge.commands.doctor_machine import State
from hilbridge.commands.service_unit import Unit
from hilbridge.files.settings.realtime import RealTimeSettings


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(doctor_host, "ROOT", tmp_path)
    monkeypatch.setattr(doctor_host, "NETWORK", tmp_path / "sys/class/net")
    return tmp_path


def write(root: Path, **files: str) -> None:
    """Files by their path, with `__` between the folders."""
    for name, text in files.items():
        file = root / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")


def states(settings: RealTimeSettings | None = None) -> dict[str, State]:
    return {finding.subject: finding.state for finding in doctor_host.scheduling(settings or RealTimeSettings())}


def test_every_warning_says_what_to_do() -> None:
    """On whatever machine this is."""
    settings = RealTimeSettings(affinity=[0])
    findings = [
        *doctor_host.scheduling(settings),
        *doctor_host.service(settings, None),
        *doctor_host.can_buffers("can0"),
        doctor_host.clock(),
    ]
    assert all(bool(finding.remedy) is (finding.state is not State.GOOD) for finding in findings)


@pytest.mark.parametrize(
    ("files", "state"),
    [
        ({"sys__kernel__realtime": "1"}, State.GOOD),
        ({"proc__sys__kernel__version": "#1 SMP PREEMPT_RT Debian 6.12"}, State.GOOD),
        ({"proc__sys__kernel__version": "#1 SMP PREEMPT_DYNAMIC Debian 6.1"}, State.WARNING),
        ({}, State.WARNING),
    ],
)
def test_a_real_time_kernel_is_known(root: Path, files: dict[str, str], state: State) -> None:
    """By its own file (older ones), or by its version."""
    write(root, **files)
    assert states()["kernel"] is state


@pytest.mark.parametrize(
    ("affinity", "isolated", "state"),
    [([], "", State.GOOD), ([3], "1,3-5", State.GOOD), ([3, 6], "1,3-5", State.WARNING), ([0], "", State.WARNING)],
)
def test_processors_of_the_tick_should_be_isolated(
    root: Path, affinity: list[int], isolated: str, state: State
) -> None:
    """Those that the bench names; the remedy names those that are not."""
    write(root, sys__devices__system__cpu__isolated=isolated)
    assert states(RealTimeSettings(affinity=affinity))["isolation"] is state


def test_the_governor_should_be_performance(root: Path) -> None:
    """Of every processor; a kernel without frequency scaling is as good."""
    assert states()["frequency"] is State.GOOD
    write(root, sys__devices__system__cpu__cpu0__cpufreq__scaling_governor="performance")
    assert states()["frequency"] is State.GOOD
    write(root, sys__devices__system__cpu__cpu1__cpufreq__scaling_governor="powersave")
    assert states()["frequency"] is State.WARNING


def test_buffers_of_a_can_interface(root: Path) -> None:
    """Debian's default holds 212,992 bytes, and ten frames in the queue; a queue of 0 has no limit (vcan)."""
    write(root, proc__sys__net__core__rmem_max="212992", sys__class__net__can0__tx_queue_len="10")
    assert [finding.subject for finding in doctor_host.can_buffers("can0")] == ["receive buffer", "queue of can0"]
    write(root, proc__sys__net__core__rmem_max="4194304", sys__class__net__can0__tx_queue_len="100")
    assert list(doctor_host.can_buffers("can0")) == []
    write(root, sys__class__net__vcan0__tx_queue_len="0")
    assert list(doctor_host.can_buffers("vcan0")) == []


def shown(monkeypatch: pytest.MonkeyPatch, **values: str) -> list[tuple[State, str]]:
    """What is found when systemd shows these values of the service."""
    monkeypatch.setattr(doctor_host, "is_booted", lambda: True)
    usual = {"LoadState": "loaded", "ActiveState": "active", "User": "hilbridge"}
    limits = {"LimitRTPRIO": "40", "LimitMEMLOCK": "infinity"}
    monkeypatch.setattr(doctor_host, "units", lambda: [Unit("hilbridge.service", usual | limits | values)])
    return [(finding.state, finding.remedy) for finding in doctor_host.service(RealTimeSettings(), None)]


def test_the_service_needs_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of its unit count, not those of the user who asks; each that is missing is reported with its line."""
    assert shown(monkeypatch) == [(State.GOOD, "")]
    lacking = shown(monkeypatch, LimitRTPRIO="0", LimitMEMLOCK="8388608")
    assert [remedy.rpartition(": ")[2] for state, remedy in lacking if state is State.WARNING] == [
        "LimitRTPRIO=40",
        "LimitMEMLOCK=infinity",
    ]


def test_a_service_that_is_not_there_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a machine without systemd."""
    assert [finding.state for finding in doctor_host.service(RealTimeSettings(), None)] == [State.GOOD]
    assert shown(monkeypatch, LoadState="not-found") == [(State.GOOD, "")]


@pytest.mark.parametrize(
    ("answer", "state", "text"),
    [(True, State.GOOD, "synchronised"), (None, State.GOOD, "not known"), (False, State.WARNING, "not synchronised")],
)
def test_a_clock_that_is_not_synchronised_is_told(
    answer: bool | None, state: State, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `hilbridge service` and the log of a run tell it; what cannot be found out is no trouble."""
    monkeypatch.setattr(doctor_host, "is_synchronised", lambda: answer)
    finding = doctor_host.clock()
    assert finding.state is state
    assert text in finding.text
