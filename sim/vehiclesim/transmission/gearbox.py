"""The gearbox: shifts from gear to gear, parking lock, and operation of an automatic clutch."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM, Connection, Derivative, InlineBlock, State
from vehiclesim.curves import clamp
from vehiclesim.parameters import GearboxSettings, GearboxType, RatioChange, ShiftingSettings
from vehiclesim.transmission.automatic_clutch import AutomaticClutch
from vehiclesim.transmission.clutch import closing_rest
from vehiclesim.transmission.mesh import Mesh
from vehiclesim.transmission.ratio_change import Preselection, Variator
from vehiclesim.transmission.shift_strategy import RELEASED
from vehiclesim.transmission.shifters import make_shifter
from vehiclesim.transmission.shifting import (
    NO_GEAR,
    AutoShiftOverride,
    GearboxStates,
    GearMode,
    GearRange,
    Powertrain,
    Shifter,
)

BLOCKING_SPEED: Final = 60.0
"""[rad/s]. A gear that would turn the input shaft backward faster than this cannot be engaged."""


_CREEP_TIME: Final = 3.2
"""[s] in which a clutch behind a converter closes where a vehicle creeps off: its greatest acceleration is 0.5 to 0.8
m/s², which cars have (assumed, for first gears of cars)."""

_CREEPS: Final = 2.0
"""[m/s] up to which a vehicle creeps: 7 km/h (assumed)."""

_ROLLS_BACK: Final = 0.02
"""[m/s]"""

_FIRST_MODE: Final = GearMode.MANUAL
_LAST_MODE: Final = GearMode.DRIVE_5


@mypyc_attr(allow_interpreted_subclasses=True)
class Gearbox(InlineBlock):
    """A gearbox that engages the gear selected by its shifter; the engaged gear is a `Mesh`.

    Through neutral: the old gear is left at once; the synchroniser of the new one brings the input shaft to its speed
    while the shift waits for `shift_time`. Blended, in an automatic: the ratio moves evenly to that of the new gear,
    and the torque is never interrupted. A dual clutch blends too, as soon as the new gear is ready. In a continuous
    gearbox the ratio of gear 1 is that of a variator. In P a pawl holds the output shaft against any torque.

    Behind a converter a gear that comes from neutral is engaged by a clutch of the gearbox, in the same shift time: it
    leads the speed of the input shaft, which the converter drives, to that of the gear (`closing_rest`). Where both
    pedals are released it takes _CREEP_TIME from rest, so that the vehicle creeps off gently.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "manual_gear",
        "sensor_gear",
        "sensor_mode",
        "sensor_shifting",
        "sensor_clutch_request",
        "_target",
        "_target_ratio",
        "_blending",
        "_start_ratio",
        "_time_left",
        "_blend_time",
        "_output_torque",
        "_mesh",
        "_clutch",
        "_shifter",
        "_preselection",
        "_variator",
    )

    def __init__(
        self,
        settings: GearboxSettings = GearboxSettings(),  # noqa: B008 - frozen
        shifting: ShiftingSettings = ShiftingSettings(),  # noqa: B008 - frozen
        powertrain: Powertrain | None = None,
    ) -> None:
        super().__init__()
        self.manual_gear: int = 0  # lever: -1, -2 .. reverse, 0 neutral, 1 .. forward
        self.automatic_gear: int = 0  # mode lever, a GearMode
        self.gear_shift: int = 0  # gears to shift up or down; 0 again when taken over
        self.auto_shift_override: int = 0  # 0 none, 1 shift by itself, 2 by hand only
        self.prescribed_gear: int = NO_GEAR  # of a motion that is prescribed
        self.min_gear_override: int = 0  # shortest and longest gear, forward and in reverse; 0 none
        self.max_gear_override: int = 0
        self.states: GearboxStates = GearboxStates()
        self.sensor_gear: int = 0  # the engaged gear, the old one while shifts blend; 0 in neutral and P
        self.sensor_mode: int = GearMode.MANUAL
        self.sensor_shifting: bool = False
        self.sensor_clutch_request: float = 1.0  # share of the driver's clutch engagement, 0 = open .. 1
        continuous = settings.ratio_change is RatioChange.CONTINUOUS
        self._variator: Variator | None = Variator(settings, shifting) if continuous else None
        self._gears: GearRange = GearRange(len(settings.gears), len(settings.reverse_ratios))
        self._ratios: list[float] = [*reversed(settings.reverse_ratios), 0.0, *settings.gears]
        self._shifter: Shifter = make_shifter(self._gears, settings, shifting, powertrain, self.states)
        self._mesh: Mesh = Mesh(settings.inertia, settings.efficiency)
        self._clutch: AutomaticClutch | None = None
        self._manual: bool = settings.type is GearboxType.MANUAL
        self._known: bool = powertrain is not None
        if powertrain is not None and not powertrain.converter:
            creep_torque = shifting.creep_torque if settings.type is GearboxType.AUTOMATIC else 0.0
            self._clutch = AutomaticClutch(powertrain, creep_torque)
        self._engine_inertia: float = 0.0 if powertrain is None else powertrain.engine_inertia
        self._shift_time: float = settings.shift_time
        dual = settings.ratio_change is RatioChange.DUAL_CLUTCH
        self._preselection: Preselection | None = Preselection(settings, shifting.transition_time) if dual else None
        self._blends: bool = settings.type is GearboxType.AUTOMATIC and (shifting.blended or dual)
        self._transition_time: float = shifting.transition_time
        self._target: int = 0
        self._target_ratio: float = 0.0
        self._blending: bool = False
        self._start_ratio: float = 0.0  # from which the ratio blends
        self._time_left: float = 0.0  # until the target is engaged [s]
        self._blend_time: float = shifting.transition_time  # the last part of it, in which the ratio moves [s]
        self._closes: bool = powertrain is not None and powertrain.converter and settings.type is GearboxType.AUTOMATIC
        self._closing: bool = False  # in this substep a clutch takes an input shaft in neutral to its gear
        self._rest: float = 0.0  # q, share of its slip that it leaves in this substep
        self._pace: float = 1.0  # with which its time goes on
        self.sensor_slip_power: float = 0.0  # that this clutch turns into heat [W]
        self._synchroniser_torque: float = 0.0  # on the input shaft, while a shift waits in neutral [N m]
        self._output_torque: float = 0.0  # of the last step [N m]

    @property
    def automatic_clutch(self) -> AutomaticClutch | None:
        """The clutch before it that works by itself; behind a converter there is none."""
        return self._clutch

    @property
    def automated(self) -> bool:
        """True if it needs `states`, and works clutch and engine; a manual gearbox while it is forced to shift."""
        return not self._manual or (self.auto_shift_override == AutoShiftOverride.FORCED and self._known)

    @property
    def sensor_output_rpm(self) -> float:
        """Speed of the output shaft [1/min]; it is known once a Solver has been made."""
        return self._output.L / self._output.I * W_TO_RPM

    @property
    def sensor_in_gear(self) -> bool:
        """True with a gear selected, or a mode that will select one: a starter motor would move the vehicle."""
        return self._target != 0 or self.sensor_mode == GearMode.REVERSE or self.sensor_mode >= GearMode.DRIVE

    @property
    def sensor_ratio(self) -> float:
        """Speed of the input over that of the output shaft, negative in reverse, 0 in neutral."""
        return self._mesh.ratio

    @property
    def sensor_target_rpm(self) -> float:
        """Speed [1/min] requested of the engine while an automatic clutch changes gears; -1: none."""
        if self._clutch is None or self._blending:
            return -1.0
        return self._clutch.target_rpm(self._target_ratio * self.sensor_output_rpm, self.sensor_shifting)

    @property
    def sensor_shift_torque(self) -> float:
        """I_e·w_out·dN/dt [N m]: the torque that brings the engine to the speed of the next gear while shifts blend.

        The vehicle would supply any part of it that the engine does not, and take any surplus.
        """
        if self._variator is not None and self.sensor_gear > 0:
            rate = self._variator.rate
        elif self._blending and self._time_left <= self._blend_time:
            rate = (self._target_ratio - self._start_ratio) / self._blend_time
        else:
            return 0.0
        return self._engine_inertia * self._output.L / self._output.I * rate

    def initialize(self) -> None:
        super().initialize()
        self.inertial = True

    # -- shifting -------------------------------------------------------------------------------------------------

    def work_clutch(self, delta_time: float) -> None:
        """Set `sensor_clutch_request` for the coming step, by the `states` that have been set before."""
        if self._clutch is not None:
            states, input_rpm = self.states, self.sensor_output_rpm * self._mesh.ratio
            self.sensor_clutch_request = self._clutch.request(states.engine_rpm, input_rpm, states.throttle, delta_time)

    def pre_step(self) -> None:
        """Begin a shift when another gear is selected, and end it at the step nearest to its time."""
        target = self._wanted_gear()
        if self._variator is not None:
            self._vary(self._variator, target)
        if self._preselection is not None and self.sensor_gear > 0 and not self._blending:
            self._preselection.advance(self.sensor_gear, self.states, self.step_time.delta_time)
        if target != self._target:
            self._begin(target)
        self._pace = self._creep_pace()
        due = 0.5 * self._pace * self.step_time.delta_time
        if self.sensor_shifting and self._time_left < due and not self._blocked():
            self._end()

    def _wanted_gear(self) -> int:
        """Return the gear selected by the shifter; clamp the levers, and take over shift steps once."""
        gears, shifter = self._gears, self._shifter
        self.manual_gear = gears.existing(self.manual_gear)
        if not _FIRST_MODE <= self.automatic_gear <= _LAST_MODE:
            self.automatic_gear = max(_FIRST_MODE, min(self.automatic_gear, _LAST_MODE))
        gears.override(self.min_gear_override, self.max_gear_override)
        if not self.automated:
            shifter.auto_shift = AutoShiftOverride.NONE
            self.sensor_clutch_request = 1.0
        else:
            shifter.auto_shift = self.auto_shift_override
            shifter.observe(self._output.L / self._output.I, self._output_torque, self.step_time.delta_time)
        wanted = shifter.select(self._target, self.manual_gear, self.automatic_gear, self.gear_shift)
        self.gear_shift = 0
        self.sensor_mode = shifter.mode
        if self.prescribed_gear == NO_GEAR:
            return wanted
        gear = gears.existing(self.prescribed_gear)
        if not self._manual:
            self.sensor_mode = GearMode.REVERSE if gear < 0 else GearMode.NEUTRAL if gear == 0 else GearMode.DRIVE
        return gear

    def _vary(self, variator: Variator, target: int) -> None:
        """Let the variator follow its demand; out of gear too, so that gear 1 fits the speed when it is engaged."""
        speed = self._output.L / self._output.I
        variator.advance(self.states.throttle, speed, self.step_time.delta_time)
        self._ratios[-1] = variator.ratio
        if target > 0:
            self._target_ratio = variator.ratio

    def _begin(self, target: int) -> None:
        self._target = target
        self._target_ratio = self._ratios[target + self._gears.reverse]
        self._blending = self._blends and self.sensor_gear * target > 0
        self.sensor_shifting = target != 0
        if self._blending:
            self._start_ratio = self._mesh.ratio
            self._time_left = self._blend_time = self._transition_time
            if self._preselection is not None and target > 0:
                self._blend_time = self._preselection.handover_time(self.sensor_gear, target)
                self._time_left = self._preselection.waiting_time(target) + self._blend_time
            return
        self._time_left = self._shift_time
        self.sensor_gear = 0
        self._mesh.engage(0.0)

    def _end(self) -> None:
        self.sensor_gear = self._target
        if self._blending or self._closes:
            self._mesh.change(self._target_ratio)
        else:
            self._mesh.engage(self._target_ratio)
        self.sensor_shifting = self._blending = False

    def _creep_pace(self) -> float:
        """Return the pace of a clutch that takes a converter to its gear: slow where the vehicle is to creep off.

        Without it all the torque of a stalled converter would be there at once. A vehicle that rolls back is held.
        """
        states = self.states
        if not self._closes or not self.sensor_shifting or self._blending:
            return 1.0
        if states.throttle > RELEASED or states.brake > RELEASED:
            return 1.0
        speed = states.speed if self._target > 0 else -states.speed
        return min(self._shift_time / _CREEP_TIME, 1.0) if -_ROLLS_BACK < speed < _CREEPS else 1.0

    def _blocked(self) -> bool:
        """Return whether the target gear is against the motion; the shift waits until the vehicle is slow enough."""
        return not self._blending and self._target_ratio * self._output.L <= -BLOCKING_SPEED * self._output.I

    # -- momentum and torque --------------------------------------------------------------------------------------

    def get_state(self, state: State) -> None:
        state.L = self._mesh.momentum

    def set_substep_state(self, state: State) -> None:
        """Take over L, and the ratio at the end: of the variator, or N_new + (N_old - N_new)·t_left/blend_time."""
        mesh = self._mesh
        mesh.momentum = state.L
        if self._blending:
            left = (self._time_left - self.step_time.elapsed - self.step_time.delta_time) / self._blend_time
            mesh.change(self._target_ratio + (self._start_ratio - self._target_ratio) * clamp(left, 0.0, 1.0))
        elif self._variator is not None and self._variator.rate != 0.0 and self.sensor_gear > 0 and not mesh.lossless:
            mesh.change(self._variator.at(self.step_time.elapsed + self.step_time.delta_time))

    def compute_state_upstream(self) -> None:
        mesh, torque = self._mesh, 0.0
        shifting = self.sensor_shifting and mesh.ratio == 0.0 and not self._blocked()
        self._closing = shifting and self._closes and self._shift_time > 0.0
        if self._closing:
            before = 1.0 - (self._time_left - self._pace * self.step_time.elapsed) / self._shift_time
            step = self.step_time.delta_time
            after = before + self._pace * step / self._shift_time
            self._rest = closing_rest(before, after) if before < 1.0 else 0.0
            mesh.report_closing(self._shaft, self._output, self._target_ratio, self._rest, step)
            return
        if shifting:
            time = max(self._time_left, self.step_time.delta_time)
            torque = mesh.synchronising_torque(self._target_ratio, time, self._output)
        self._synchroniser_torque = torque
        mesh.report(self._shaft, self._output, torque)

    def evaluate_torque_downstream(self) -> None:
        """Transmit through the mesh; in neutral that of the synchroniser, in P T = -(L/dt + Tr), which ends at rest."""
        output = self._output
        self.sensor_slip_power = 0.0
        if self._mesh.ratio != 0.0:
            self._mesh.transmit(self._shaft.out_td, output, self.step_time.delta_time)
            return
        if self._closing:
            self._close(self._mesh, output)
            return
        self._mesh.torque = self._shaft.out_td + self._synchroniser_torque
        output.out_td = -self._synchroniser_torque * self._target_ratio
        if self.sensor_mode == GearMode.PARK:
            output.out_td = -(output.L / self.step_time.delta_time + output.Tr)

    def _close(self, mesh: Mesh, output: Connection) -> None:
        """Transmit through the clutch that engages a gear out of neutral; its heat is torque times mean slip."""
        ratio, drive = self._target_ratio, self._shaft.out_td
        slip = mesh.slip(ratio, output)
        torque = mesh.closing_torque(ratio, self._rest, drive, output, self.step_time.delta_time)
        mesh.torque = drive - torque
        output.out_td = mesh.transfer * ratio * torque
        self.sensor_slip_power = torque * slip * 0.5 * (1.0 + self._rest)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._mesh.torque

    def set_state(self, state: State) -> None:
        self._mesh.momentum = state.L
        self._output_torque = self._output.out_td
        if self.sensor_shifting and not self._blocked():
            self._time_left -= self._pace * self.step_time.delta_time
        if self._variator is not None:
            self._variator.end_step(self.step_time.delta_time)
        if self._clutch is not None and self.automated:
            in_gear = self.sensor_gear != 0 and not self.states.engine_rests
            self._clutch.advance(in_gear, self.step_time.delta_time, self.states.brake)
