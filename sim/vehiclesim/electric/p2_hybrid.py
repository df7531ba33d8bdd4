"""The P2 hybrid: a motor between the clutch K0, which the engine is behind, and an automatic gearbox."""

from typing import ClassVar, Final

from vehiclesim.block import W_TO_RPM
from vehiclesim.curves import clamp
from vehiclesim.electric.on_demand_hybrid import OnDemandHybrid
from vehiclesim.engine.stop_start import RUN

_SYNCHRONOUS: Final = 0.97
"""Share of the gearbox's speed from which a started engine turns with it."""

_CHARGES_FROM: Final = 1.3
"""Multiple of the idle speed from which the engine, locked to the gearbox, charges the battery."""


class P2Hybrid(OnDemandHybrid):
    """T_motor = T_demand - T_engine, and T_engine asks for T_demand + P_charge/w.

    T_demand is what pedals and creeping ask for, of at most the torque of engine and motor together. T_engine is what
    comes through K0: while that is locked the engine's own torque, else that of the clutch. P_charge grows from 0 in
    the middle of the band of charge to `charge_power` at its lower end, and is as much less above. With the pedal
    released the engine burns nothing, and the motor brakes with what the engine's friction leaves of the overrun.

    A control unit's limit of the torque at the flywheel holds for both together.

    While `EngineOnDemand` has the engine off, K0 is open and the motor drives alone. The starter motor starts the
    engine, which then runs up to the speed of the gearbox; K0 closes as an automatic clutch does after a change of
    gear. A vehicle that is slower than the engine's idle speed starts off through K0, as through an automatic clutch.
    """

    state_vars: ClassVar[tuple[str, ...]] = (*OnDemandHybrid.state_vars, "_synchronous")

    _synchronous: bool = False  # the running engine has reached the speed of the gearbox

    def most_torque(self, w: float) -> float:
        """Return the highest torque [N m] of engine and motor together at a speed [rad/s] of the gearbox."""
        motor, w = self.motor, w if w >= 0.0 else -w
        idle = self.system.idle_w
        rpm = (w if w > idle else idle) * W_TO_RPM
        together = self.engine.calculate_torque(rpm) + motor.most_torque(w * motor.ratio) * motor.ratio
        return self.system.limit(together, w)

    def control(self, delta_time: float) -> None:
        around = self.surroundings
        self.turn_key()
        driving = self.ready and around.gear != 0 and around.lead > 0.0
        torque = relief = 0.0
        if driving:
            torque, relief = self.pedals(around.lead)
            torque = torque if torque < self.engine.torque_limit else self.engine.torque_limit
        w = self.motor.w / self.motor.ratio
        self._work_engine(driving, torque, w if w > 0.0 else 0.0, delta_time)
        wanted = torque - self._engine_torque() if driving else 0.0
        if torque <= 0.0 < wanted:
            wanted = 0.0
        self.drive(self.without_slip(wanted), relief, around.lead)

    @property
    def engine_rests(self) -> bool:
        """True while K0 must be open: the engine does not run, is not to, or turns much slower than the gearbox."""
        return not self._synchronous

    def _work_engine(self, driving: bool, torque: float, w: float, delta_time: float) -> None:
        """Stop or start the engine, and ask it for its torque, at a speed [rad/s] of the gearbox."""
        engine, system = self.engine, self.system
        self.on_demand.in_gear = driving
        charging = w >= _CHARGES_FROM * system.idle_w
        self.call_engine(torque * w, torque <= self.electric_torque(w), charging, delta_time)
        self._synchronise(w)
        if torque > 0.0:
            engine.drive_request = torque
            if charging:
                charge = system.band.power(self.battery.charge)
                engine.drive_request = clamp(torque + charge / w, 0.0, system.max_torque)

    def _synchronise(self, w: float) -> None:
        """Bring an engine that has just been started to the speed of the gearbox [rad/s], where that is above idle."""
        engine = self.engine
        if self.on_demand.command != RUN or not engine.sensor_working:
            self._synchronous = False
        elif not self._synchronous:
            rpm = w * W_TO_RPM
            self._synchronous = w < self.system.idle_w or engine.sensor_rpm > _SYNCHRONOUS * rpm
            if not self._synchronous and engine.target_rpms < 0.0:
                engine.target_rpms = rpm
                engine.auto_rpms = True

    def _engine_torque(self) -> float:
        """Return the torque [N m] that came through K0 in the last step, without what its flywheel gave or took."""
        engine = self.engine
        return engine.sensor_flywheel_torque if engine.sensor_clutch_lock >= 1.0 else engine.sensor_output_torque
