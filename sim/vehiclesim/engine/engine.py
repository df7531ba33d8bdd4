"""The combustion engine as a block of the drivetrain, with the clutch at its output.

One substep: read the driveline, advance the ignition, sum up the friction, let the management choose how much of
the available torque is burnt, and divide the resulting torque between flywheel and clutch.
"""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W, W_TO_RPM, Block, Derivative, State
from vehiclesim.curves import clamp
from vehiclesim.engine.charge import Charge
from vehiclesim.engine.flywheel import Flywheel
from vehiclesim.engine.fuel_meter import FuelMeter
from vehiclesim.engine.full_load import EngineSpecifications, FullLoad, specify
from vehiclesim.engine.ignition import START_SHARE, Ignition
from vehiclesim.engine.management import EngineManagement
from vehiclesim.engine.pulses import FiringPulses
from vehiclesim.engine.throttling import displacement_of
from vehiclesim.engine.torque_curve import TorqueCurve, make_curve
from vehiclesim.parameters import ClutchSettings, EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, ElectricsSettings, FuelKind
from vehiclesim.transmission.converter import make_clutch

_NOT_A_NUMBER: Final = float("nan")
"""Made once: the compiled `float` reads its text each time."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Engine(Block):
    """A combustion engine: no input shaft, and one optional output shaft.

    The attributes without underscore are its inputs; they are read at the start of every step and held in bounds.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "_momentum",
        "_external_friction",
        "_load",
        "_lock",
        "_ignition",
        "_management",
        "_flywheel",
        "_fuel",
        "_charge",
    )

    def __init__(
        self,
        settings: EngineSettings = EngineSettings(),  # noqa: B008 - frozen
        clutch: ClutchSettings = ClutchSettings(),  # noqa: B008 - frozen
        curve: TorqueCurve | None = None,
        air: AirPathSettings = AirPathSettings(),  # noqa: B008 - frozen
        electrics: ElectricsSettings | None = None,
    ) -> None:
        """Take the electrics of a vehicle for its starter motor; without them it is by `starter_motor_bias`."""
        super().__init__()
        self.throttle_input: float = 0.0  # 0 = released .. 1 = fully pressed
        self.clutch_input: float = 0.0  # 0 = open .. 1 = engaged
        self.ignition_input: int = 0  # -1 = off, 0 = on, 1 = start
        self.stop_start: int = 0  # of stop and start, with the key on: -1 stop, 1 start, 0 none
        self.starter_supply: float = 1.0  # share of the starter motor's torque, by battery and temperature
        self.fuel_supply: float = 1.0  # share of the fuel that the tank supplies: 0 = empty .. 1
        self.allowed_fuel_ratio: float = 1.0  # share of the fuel that a control unit allows: 0 = none .. 1 = all
        self.torque_request: float = float("nan")  # at the flywheel [N m], instead of the pedal; not-a-number: none
        self.drive_request: float = float("nan")  # the same by a hybrid drive, where a control unit has none
        self.torque_limit: float = float("inf")  # at the flywheel [N m]; infinite: none
        self.rpm_limit: float = float("inf")  # [1/min]; infinite: none
        self.shift_torque: float = 0.0  # additional request of a gearbox with blended shifts [N m]
        self.tcs_rpms: float = -1.0  # speed requested by traction control, negative: none
        self.tcs_ratio: float = 1.0  # share of that request that is followed
        self.tcs_throttle_factor: float = 1.0  # highest share under traction control
        self.auto_rpms: bool = False  # hold target_rpms, regardless of pedal, limiter and traction control
        self.target_rpms: float = -1.0  # negative: none
        self.damping: float = 1.0  # share of the driveline's reaction torque that is used
        self.misfire: float = 0.0  # fault: share of the combustions that fail
        self.lean_mixture: float = 0.0  # fault: share of the fuel that does not reach the mixture
        self.spark_loss: float = 0.0  # share of the torque that a spark later than usual costs, as knock control wants
        self.friction_factor: float = 1.0  # own friction over that of the warm engine: cold oil raises it
        self.accessory_power: float = 0.0  # that the belt takes from the crankshaft of a running engine [W]
        self.enrichment: float = 1.0  # fuel over that which the torque needs: a cold engine gets more
        self.idle_rise: float = 0.0  # [1/min] by which the idle control holds more than idle_rpm

        self._curve: TorqueCurve = make_curve(settings) if curve is None else curve
        self._full_load: FullLoad = FullLoad(self._curve, settings, air)
        self._air: AirPathSettings = air
        self._ignition: Ignition = Ignition(settings, self._curve, electrics)
        self._charge: Charge = Charge(air, settings, self._full_load, meters_start=self._ignition.cranks)
        self._management: EngineManagement = EngineManagement(settings, self._full_load, self._charge)
        self._flywheel: Flywheel = Flywheel(settings.inertia, make_clutch(clutch), _pulses(settings, air))
        self._fuel: FuelMeter = FuelMeter(settings)

        self._idle_rpm: float = settings.idle_rpm
        self._idle_friction: float = self._curve.friction(settings.idle_rpm * RPM_TO_W)
        self._idle_raw: float = self._curve.raw_torque(settings.idle_rpm)

        self._momentum: float = 0.0
        self._external_friction: float = 0.0
        self._accessories: float = 0.0  # torque [N m]
        self._key: int = 0
        self._fuel_limit: float = 1.0
        self._friction_factor: float = 1.0
        self._rich: float = 1.0  # the enrichment
        self._mixture: float = 1.0  # share of the injected fuel that there should be
        self._firing: float = 1.0  # share of the combustions that succeed
        self._damping: float = 1.0
        self._load: float = 0.0
        self._lock: float = 0.0

    # -- steady-state characteristics -------------------------------------------------------------------------------

    def specifications(self, delta_rpm: float = -1.0) -> EngineSpecifications:
        """Return the data sheet, from a scan in steps of `delta_rpm` (not positive: 1/min)."""
        return specify(self._full_load, self._ignition.stalled_friction, delta_rpm)

    def calculate_torque(self, rpm: float, throttle: float = 1.0) -> float:
        """Return the torque at the flywheel [N m] at a steady speed; throttle is a share of combustion torque."""
        return self._full_load.torque(rpm, throttle)

    def calculate_friction(self, rpm: float) -> float:
        """Return the friction of the warm engine [N m] at a steady speed, without the work of throttling."""
        return self._curve.friction(rpm * RPM_TO_W)

    def calculate_power_in_kw(self, rpm: float) -> float:
        """Return the full-throttle power [kW]."""
        return self._full_load.power_in_kw(rpm)

    def calculate_specific_fuel_consumption(self, rpm: float, torque: float = float("inf")) -> float:
        """Return the fuel per work [g/kWh] at a torque [N m], full load at most; not-a-number without any."""
        return self._full_load.specific_fuel_consumption(rpm, torque)

    def calculate_fuel_per_rev(self) -> float:
        """Return the most fuel of one revolution [g], that of a full charge."""
        return self._full_load.most_fuel_per_rev()

    def calculate_instant_fuel_consumption(self, speed: float) -> float:
        """Return the fuel per distance [l/100 km] at the present rate; not-a-number below walking speed [m/s]."""
        return self._fuel.per_distance(speed)

    def add_friction_torque(self, friction_torque: float) -> float:
        """Add to the friction [N m] of the next step only (an accessory, a fault); return the sum so far."""
        if friction_torque > 0.0:
            self._external_friction += friction_torque
        return self._external_friction

    def reset_friction_torque(self) -> None:
        """Reset the friction that was added since the last step."""
        self._external_friction = 0.0

    def breathe(self, pressure: float, temperature: float) -> None:
        """Take the air outside, at [kPa] and [°C]: it changes the torque of full load, see `charge.py`."""
        self._charge.breathe(pressure, temperature)

    def turn(self, w: float) -> None:
        """Turn the crankshaft at a speed [rad/s], as a test stand would, between two steps."""
        self._momentum = self._flywheel.inertia * w

    def retune(self, settings: EngineSettings, clutch: ClutchSettings) -> None:
        """Take other settings between two steps; speed, ignition and the state of the clutch stay as they are."""
        other = Engine(settings, clutch, air=self._air, electrics=self._ignition.electrics)
        other.breathe(self._charge.ambient, self._charge.temperature)
        self._momentum *= settings.inertia / self._flywheel.inertia
        other._ignition.set_state_vars(self._ignition.get_state_vars())
        other._management.set_state_vars(self._management.get_state_vars())
        other._flywheel.follow(self._flywheel)
        other._fuel.set_state_vars(self._fuel.get_state_vars())
        other._charge.set_state_vars(self._charge.get_state_vars())
        self._curve = other._curve
        self._full_load = other._full_load
        self._ignition = other._ignition
        self._management = other._management
        self._flywheel = other._flywheel
        self._fuel = other._fuel
        self._charge = other._charge
        self._idle_rpm = other._idle_rpm
        self._idle_raw = other._idle_raw
        self._idle_friction = other._idle_friction

    @property
    def belt_torque(self) -> float:
        """Torque of an electric motor on the belt [N m], at the crankshaft: an input."""
        return self._flywheel.belt

    @belt_torque.setter
    def belt_torque(self, torque: float) -> None:
        self._flywheel.belt = torque

    @property
    def misfire_cylinder(self) -> int:
        """The cylinder whose combustions fail, 0 for any: an input of an engine with firing pulses."""
        pulses = self._flywheel.pulses
        return 0 if pulses is None else pulses.cylinder

    @misfire_cylinder.setter
    def misfire_cylinder(self, number: int) -> None:
        pulses = self._flywheel.pulses
        if pulses is not None:
            pulses.cylinder = number

    @property
    def lock_up_input(self) -> bool:
        """Whether a converter may lock, with a gear engaged: an input."""
        return self._flywheel.clutch.may_lock

    @lock_up_input.setter
    def lock_up_input(self, allowed: bool) -> None:
        self._flywheel.clutch.may_lock = allowed

    # -- sensors ----------------------------------------------------------------------------------------------------

    @property
    def sensor_rpm(self) -> float:
        """Speed [1/min]."""
        return self._momentum / self._flywheel.inertia * W_TO_RPM

    @property
    def sensor_stalled(self) -> bool:
        """True if the ignition is on but the engine does not run."""
        return self._ignition.stalled

    @property
    def sensor_working(self) -> bool:
        """True if the engine runs by itself."""
        return self._ignition.running

    @property
    def sensor_starting(self) -> bool:
        """True if the starter motor turns."""
        return self._ignition.starting

    @property
    def sensor_flywheel_torque(self) -> float:
        """Combustion, starter and belt motor minus friction [N m]."""
        return self._flywheel.own_torque

    @property
    def sensor_friction_torque(self) -> float:
        """Friction against the rotation [N m]: that of the engine, of throttling, of accessories, and the added one."""
        return self._flywheel.friction

    @property
    def sensor_throttling_torque(self) -> float:
        """Torque [N m] that drawing air past the throttle plate takes, a part of the friction torque."""
        charge = self._charge
        throttling = charge.throttling
        return throttling.torque(charge.intake.pressure, charge.ambient) if throttling.works else 0.0

    @property
    def sensor_accessory_torque(self) -> float:
        """Torque [N m] that the accessories take, a part of the friction torque."""
        return self._accessories

    @property
    def sensor_output_torque(self) -> float:
        """Torque through the clutch into the driveline [N m]."""
        return self._flywheel.output_torque

    @property
    def sensor_clutch_torque(self) -> float:
        """Torque that the clutch takes from the flywheel [N m]; a hydrodynamic converter gives out a multiple of it."""
        return self._flywheel.clutch_torque

    @property
    def sensor_mean_torque(self) -> float:
        """The flywheel torque without the waves of firing pulses [N m], as a control unit knows it."""
        return self._flywheel.own_torque - self._flywheel.pulse

    @property
    def sensor_crank_angle(self) -> float:
        """Angle of the crankshaft over two turns [rad], 0 as the first cylinder ignites; 0 without firing pulses."""
        pulses = self._flywheel.pulses
        return 0.0 if pulses is None else pulses.angle

    @property
    def sensor_power(self) -> float:
        """Mean flywheel torque times speed [kW]."""
        return self.sensor_mean_torque * self._momentum / self._flywheel.inertia * 1e-3

    @property
    def sensor_rpm_limiter(self) -> bool:
        """True if the limiter reduces the fuel."""
        return self._management.limiting

    @property
    def sensor_tcs_engaged(self) -> bool:
        """True if traction control reduces the fuel."""
        return self._management.tcs_engaged

    @property
    def sensor_fuel_rate(self) -> float:
        """Mean of the last step [g/s], so that rate times step time is the fuel burnt."""
        return self._fuel.rate

    @property
    def sensor_load(self) -> float:
        """Combustion torque over available torque, 0..1; not-a-number while the engine does not run."""
        return self._load if self._ignition.running else _NOT_A_NUMBER

    @property
    def sensor_charge_pressure(self) -> float:
        """Pressure behind the compressor [kPa]; without one that of the air outside."""
        return self._charge.pressure

    @property
    def sensor_boost_command(self) -> float:
        """Pressure behind the compressor that the engine management wants [kPa]."""
        return self._charge.wanted

    @property
    def sensor_manifold_pressure(self) -> float:
        """Pressure that the cylinders draw from [kPa]: behind the plate of a petrol engine, behind the compressor."""
        return self._charge.intake.pressure if self._charge.throttled else self._charge.pressure

    @property
    def sensor_throttle(self) -> float:
        """Opening of the throttle plate, 0..1; a diesel has none, which is 1."""
        return self._charge.intake.opening if self._charge.throttled else 1.0

    @property
    def sensor_throttle_command(self) -> float:
        """Opening that the engine management commands, 0..1."""
        return self._charge.intake.command if self._charge.throttled else 1.0

    @property
    def sensor_inflow(self) -> float:
        """Air through the throttle plate over that into the cylinders: over 1 while the manifold fills."""
        return self._charge.intake.inflow if self._charge.throttled else 1.0

    @property
    def sensor_air_fuel_rate(self) -> float:
        """Fuel [g/s] that the air in the cylinders is for: the fuel rate, unless some of it is cut off."""
        return self._fuel.of_air

    @property
    def sensor_clutch_lock(self) -> float:
        """Lock ratio of the clutch between engine and driveline, 0..1; not-a-number where that is unknown."""
        return self._lock if self.outputs and self.outputs[0] is not None else _NOT_A_NUMBER

    # -- one step ---------------------------------------------------------------------------------------------------

    def initialize(self) -> None:
        self.set_outputs(1)
        self.inertial = True

    def pre_step(self) -> None:
        self._key = self.ignition_input if self.ignition_input != 0 else self.stop_start
        self.starter_supply = clamp(self.starter_supply, 0.0, 1.0)
        self._mixture = 1.0 - clamp(self.lean_mixture, 0.0, 1.0)
        self._firing = 1.0 - clamp(self.misfire, 0.0, 1.0)
        self.spark_loss = clamp(self.spark_loss, 0.0, 1.0)
        pulses = self._flywheel.pulses
        if pulses is not None:
            pulses.misfire = 1.0 - self._firing
            pulses.lean = 1.0 - self._mixture
        supply, allowed = clamp(self.fuel_supply, 0.0, 1.0), clamp(self.allowed_fuel_ratio, 0.0, 1.0)
        self._fuel_limit = supply if supply < allowed else allowed
        self._damping = clamp(self.damping, 0.0, 1.0)
        self._flywheel.clutch.engagement = clamp(self.clutch_input, 0.0, 1.0)
        self._flywheel.start_step(self.outputs[0], self._momentum / self._flywheel.inertia)
        management = self._management
        management.throttle = clamp(self.throttle_input, 0.0, 1.0)
        request = self.torque_request
        management.torque_request = request if request == request else self.drive_request
        management.torque_limit = self.torque_limit
        management.limit_w = self.rpm_limit * RPM_TO_W
        management.shift_torque = self.shift_torque
        management.firing = self._firing
        management.tcs_w = -1.0
        if self.tcs_rpms >= 0.0:
            management.tcs_w = self.tcs_rpms * RPM_TO_W
            management.tcs_ratio = clamp(self.tcs_ratio, 0.0, 1.0)
            management.tcs_throttle_factor = clamp(self.tcs_throttle_factor, 0.0, 1.0)
        management.idle_w = (self._idle_rpm + clamp(self.idle_rise, -self._idle_rpm, 1e4)) * RPM_TO_W
        self._friction_factor = clamp(self.friction_factor, 0.0, 100.0)
        self._rich = clamp(self.enrichment, 0.0, 10.0)
        self._accessories = self._accessory_torque() if self._ignition.running else 0.0
        self._hold_idle()
        self._charge.idle_rpm = management.idle_w * W_TO_RPM
        management.pedal.rise = clamp(self.idle_rise, 0.0, 1e4)
        management.pedal.load = self._charge.idle_load / self._charge.density
        management.auto_w = self.target_rpms * RPM_TO_W if self.auto_rpms and self.target_rpms >= 0.0 else -1.0

    def get_state(self, state: State) -> None:
        state.L = self._momentum

    def set_substep_state(self, state: State) -> None:
        self._flywheel.speed = state.L / self._flywheel.inertia if state.L > 0.0 else 0.0

    def evaluate_torque_downstream(self) -> None:
        flywheel = self._flywheel
        ignition = self._ignition
        rpm = flywheel.speed * W_TO_RPM

        shaft = self.outputs[0]
        flywheel.couple(shaft, self._damping, self.step_time.delta_time)
        own_friction = self._curve.friction(flywheel.speed) * self._friction_factor
        flywheel.friction = own_friction + self._external_friction + self._accessories + self.sensor_throttling_torque
        surplus = 0.0
        if not ignition.running:
            ignition.turn(rpm, self.step_time.delta_time)
            surplus = self._surplus(rpm, own_friction)
        ignition.update(self._key, rpm, self._fuel_limit * self._mixture, surplus)
        if not ignition.running:
            flywheel.friction += ignition.extra_friction()

        drive = self._burn(rpm, own_friction)
        if ignition.starting:
            drive += ignition.starter_torque(rpm, self.starter_supply)
        flywheel.distribute(drive)

        self._lock = flywheel.clutch.lock(flywheel.clutch_torque, flywheel.speed)
        if shaft is not None:
            shaft.out_td = flywheel.output_torque

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._flywheel.own_torque - self._flywheel.clutch_torque

    def set_state(self, state: State) -> None:
        self._momentum = state.L if state.L > 0.0 else 0.0
        self._management.end_step(self.step_time.delta_time)
        self._external_friction = 0.0
        self._fuel.end_step(self.step_time.substeps)

    def _accessory_torque(self) -> float:
        """Return P/w [N m], w not below half the idle speed: below it a regulator lets its machine slip or rest."""
        power = clamp(self.accessory_power, 0.0, 1e7)
        if power == 0.0:
            return 0.0
        speed = self._momentum / self._flywheel.inertia
        least = 0.5 * self._idle_rpm * RPM_TO_W
        return power / (speed if speed > least else least)

    def _hold_idle(self) -> None:
        """Set what holds the engine back at idle over its friction there while it is warm.

        For the idle control by friction without the accessories, which it knows nothing of.
        """
        own, belt, friction, charge = self._friction_factor, 0.0, self._idle_friction, self._charge
        if friction > 0.0:
            belt = clamp(self.accessory_power, 0.0, 1e7) / (self._idle_rpm * RPM_TO_W) / friction
            if charge.throttling.works:
                held, available = (own + belt) * friction, self._idle_raw * charge.density
                own += charge.throttling.at_idle(held, available, charge.ambient) / friction
        self._management.friction_factor = own
        charge.idle_load = own + belt if friction > 0.0 else 1.0

    def _surplus(self, rpm: float, friction: float) -> float:
        """Return the torque [N m] of full load over all that holds a running engine back, at a speed [1/min].

        Accessories, which rest until it runs, count. Below idle a share is kept in reserve: see `START_SHARE`.
        """
        catching = self._ignition.catching
        raw = self._idle_raw if catching else self._curve.raw_torque(rpm)
        available = self._full_load.available(raw * self._charge.density, friction)
        burnt = self._fuel_limit * available * self._mixture * self._firing
        if rpm < self._idle_rpm:
            air = self._charge.air if catching and self._charge.plate else 1.0
            burnt *= air if air < START_SHARE else START_SHARE
        flywheel = self._flywheel
        return burnt - self._accessory_torque() - flywheel.torque_towards(flywheel.speed) - flywheel.belt

    def _burn(self, rpm: float, friction: float) -> float:
        """Return the combustion torque [N m] at a speed [1/min]; store its fuel and the load.

        T = load·available·mixture·spark·firing, with fuel for load·available·mixture, and more while the spark is late
        (`charge.py`). A lean mixture has less of both, while a cylinder that misfires has received its fuel.
        """
        ignition, charge = self._ignition, self._charge
        held = rpm < self._idle_rpm and (ignition.catching or not ignition.can_stall)  # keeps what it has at idle
        raw = self._idle_raw if held else self._curve.raw_torque(rpm)
        full = raw * charge.density
        available = self._full_load.available(full, friction) if ignition.injects else 0.0
        load = self._management.share(self._flywheel, available, self.step_time.elapsed)
        load = self._load = load if load < self._fuel_limit else self._fuel_limit
        burnt = load * available * self._mixture * (1.0 - self.spark_loss)
        if charge.settles:
            asked = self._management.asked
            charge.settle(available, load if load > asked else asked, rpm, self.step_time.delta_time)
        self._fuel.of_air = 0.0
        if raw > 0.0:
            air = charge.air if charge.plate else load
            if air > 0.0:
                whole = self._full_load.fuel_rate(rpm, air * available * self._mixture, raw) * self._rich
                injected = charge.fuel_share(load)
                self._fuel.add(whole * ((injected if injected < self._fuel_limit else self._fuel_limit) / air))
                self._fuel.of_air = whole * (charge.air / air) if charge.settles and charge.air > air else whole
        fired = burnt * self._firing
        flywheel = self._flywheel
        if flywheel.pulses is None:
            return fired
        pressure = self.sensor_manifold_pressure if ignition.running else 0.0
        return flywheel.pulse_of(flywheel.pulses, fired, burnt, load, pressure)


def _pulses(settings: EngineSettings, air: AirPathSettings) -> FiringPulses | None:
    if not settings.firing_pulses:
        return None
    return FiringPulses(settings, displacement_of(air, settings), diesel=air.fuel is FuelKind.DIESEL)
