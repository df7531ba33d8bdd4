"""Diagnostic monitors: each compares a value with its limits, and needs a time beyond or within them for a result.

    beyond a limit for `time`           the test has failed
    within the limits for `pass_time`   the test has passed
    not enabled, or not available       both times stop

When the value crosses a limit, the other time starts from 0. All tests restart when the key is turned on and when
codes are cleared. Values and limits are data: config/codes.yaml.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.drive import fuel_of
from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.store import INTERVAL, TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import FAILED, PASSED
from hilbridge.files.settings.dtc import MonitorSettings
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.sources import Channels
from vehiclesim import VehicleSettings
from vehiclesim.databus import DataBus
from vehiclesim.engine.full_load import FullLoad
from vehiclesim.engine.throttling import displacement_of
from vehiclesim.engine.torque_curve import make_curve

MonitoredValue = Callable[[Channels], float]


class VehicleFigures(NamedTuple):
    """Figures of the vehicle that expressions of monitors may contain in braces."""

    idle_rpm: float
    limit_rpm: float
    nominal_voltage: float
    fuel: str = "petrol"
    breathing: float = 1.0


def figures_of(settings: VehicleSettings) -> VehicleFigures:
    """Return the figures of a vehicle.

    Its highest engine speed is that of the limiter, otherwise where the torque ends; `breathing` is displacement times
    volumetric efficiency [l].
    """
    engine, auxiliary = settings.engine, settings.auxiliary
    limit = min(engine.rpm_limiter_max, engine.max_rpm) if engine.rpm_limiter else engine.max_rpm
    return VehicleFigures(
        engine.idle_rpm, limit, auxiliary.electrics.nominal_voltage, fuel_of(settings), _breathing(settings)
    )


def _breathing(settings: VehicleSettings) -> float:
    air, engine = settings.auxiliary.air_path, settings.engine
    fuel = FullLoad(make_curve(engine), engine).most_fuel_per_rev()
    return displacement_of(air, replace(engine, max_fuel_per_rev=fuel)) * air.volumetric_efficiency


class Monitor:
    """One monitor. `last` is the value of its last result, None before the first one."""

    def __init__(
        self, code: TroubleCode, settings: MonitorSettings, value: MonitoredValue, enabled: MonitoredValue
    ) -> None:
        self.code: Final = code
        self.settings: Final = settings
        self.last: float | None = None
        self._value: Final = value
        self._enabled: Final = enabled
        self._low: Final = float("-inf") if settings.minimum is None else settings.minimum
        self._high: Final = float("inf") if settings.maximum is None else settings.maximum
        self._time: Final = round(settings.time * SECOND)
        self._pass_time: Final = round(settings.pass_time * SECOND)
        self._beyond = 0  # [ns]
        self._within = 0  # [ns]

    @property
    def detection(self) -> int:
        """The fault detection counter of ISO 14229-1: rises to 127 while beyond, falls to -128 while within."""
        if self._beyond > 0:
            return FAILED if self._beyond >= self._time else self._beyond * FAILED // self._time
        if self._within > 0:
            return PASSED if self._within >= self._pass_time else self._within * PASSED // self._pass_time
        return 0

    def reset(self) -> None:
        """Restart a test in progress."""
        self._beyond = self._within = 0

    def forget(self) -> None:
        """Reset test and last value: the codes were cleared."""
        self.reset()
        self.last = None

    def test(self, channels: Channels, elapsed: int) -> bool | None:
        """Return whether the test has failed, None without a result; `elapsed` [ns] is the time since the last call."""
        if not self._enabled(channels) > 0:  # nor for NaN
            return None
        value = self._value(channels)
        if value != value:
            return None
        failed = not self._low <= value <= self._high
        if failed:
            self._beyond, self._within = self._beyond + elapsed, 0
            verdict = self._beyond >= self._time
        else:
            self._beyond, self._within = 0, self._within + elapsed
            verdict = self._within >= self._pass_time
        if not verdict:
            return None
        self.last = value
        return failed


class Monitors:
    """The monitors of one control unit, which report to its store."""

    def __init__(self, monitors: Mapping[str, Monitor], store: TroubleStore, data: DataBus) -> None:
        self.monitors: Final = dict(monitors)
        self.store: Final = store
        self._channels: Final = data.channels
        self._looked = 0  # [ns]
        self._cycles = store.cycles
        self._clears = store.clears

    def advance(self, t: int) -> None:
        """Run the monitors at time `t` [ns] if INTERVAL has passed and the key is on."""
        elapsed = t - self._looked
        if elapsed < INTERVAL:
            return
        self._looked = t
        self._begin_anew()
        if not self.store.cycle.key_on:
            return
        for monitor in self.monitors.values():
            failed = monitor.test(self._channels, elapsed)
            self.store.troubles[monitor.code.j2012].detect(monitor.detection)
            if failed is not None:
                self.store.report(monitor.code.j2012, failed, t)

    def _begin_anew(self) -> None:
        store = self.store
        if store.clears != self._clears:
            self._clears = store.clears
            for monitor in self.monitors.values():
                monitor.forget()
        elif store.cycles != self._cycles:
            self._cycles = store.cycles
            for monitor in self.monitors.values():
                monitor.reset()


def build_monitors(
    settings: Mapping[str, MonitorSettings],
    codes: Mapping[str, TroubleCode],
    figures: VehicleFigures,
    observers: Mapping[str, Callable[[], float]],
    place: KeyPath = (),
) -> dict[str, Monitor]:
    """Return the monitors of `codes` that this vehicle and bench can run.

    Left out are monitors of another drive, and of an input that the bench does not have. `observers` by name, such as
    Throttle.tracks; `place`: the section that has the key `monitors`. ConfigurationError, with the key path: an
    invalid expression.
    """
    return dict(_built(settings, codes, figures, observers, (*place, "monitors")))


def _built(
    settings: Mapping[str, MonitorSettings],
    codes: Mapping[str, TroubleCode],
    figures: VehicleFigures,
    observers: Mapping[str, Callable[[], float]],
    section: KeyPath,
) -> Iterator[tuple[str, Monitor]]:
    for name, monitor in settings.items():
        if monitor.code not in codes or figures.fuel not in monitor.fuels:
            continue
        place = (*section, name)
        if monitor.observed is not None:
            if monitor.observed not in observers:
                continue
            value = _observing(observers[monitor.observed])
        else:
            value = _expression(monitor.value or "", figures, (*place, "value"))
        yield name, Monitor(codes[monitor.code], monitor, value, _expression(monitor.when, figures, (*place, "when")))


def _observing(observer: Callable[[], float]) -> MonitoredValue:
    return lambda _: observer()


def _expression(text: str, figures: VehicleFigures, place: KeyPath) -> MonitoredValue:
    try:
        filled = text.format_map({name: repr(value) for name, value in figures._asdict().items() if name != "fuel"})
    except (KeyError, ValueError, IndexError) as error:
        raise ConfigurationError(f"no figure of the vehicle: {error}", place) from None
    return parse(filled, place=place).value
