"""A gearbox on the test stand: a motor at its input, a flywheel at its output."""

from typing import Any

from vehiclesim import Block, Gearbox, GearboxSettings, Powertrain, ShiftingSettings, Solver

from .blocks import Flywheel, Motor
from .states import change

BOX = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0, -2.0), shift_time=0.2, efficiency=1.0, inertia=0.02)
LOSSY = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0,), shift_time=0.2, efficiency=0.8, inertia=0.02)
ABRUPT = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0,), shift_time=0.0, efficiency=0.8, inertia=0.02)
INPUT_INERTIA = 0.02
STEP = 0.001


def flat_torque(rpm: float, throttle: float) -> float:
    """An engine with the same torque [N m] at every speed: 200 at full throttle, -50 without."""
    return 250.0 * throttle - 50.0


AROUND = Powertrain(
    idle_rpm=1000.0,
    rated_rpm=4800.0,
    limit_rpm=6000.0,
    torque=flat_torque,
    drive_torque=flat_torque,
    engine_inertia=0.5,
    converter=True,
    clutch_torque=300.0,
    mass=1000.0,
    lead=0.1,
)
"""A vehicle whose inertia at the output shaft is that of the flywheel, 10 kg m², and which rolls 0.1 m per radian."""


SHIFTING = ShiftingSettings(
    up_rpm=4000.0, down_rpm=1500.0, light_up_rpm=4000.0, light_down_rpm=1500.0, minimum_speeds=(5.0,)
)
"""Shift speeds that suit these gears, whatever the pedal does."""


class Drivetrain:
    """Motor, gearbox and flywheel; the gearbox is given the speed of a vehicle that rolls with the flywheel."""

    def __init__(
        self,
        settings: GearboxSettings = BOX,
        shifting: ShiftingSettings = SHIFTING,
        around: Powertrain | None = AROUND,
        **options: Any,
    ) -> None:
        self.motor, self.box, self.flywheel = Motor(), Gearbox(settings, shifting, around), Flywheel()
        self.input = Block.connect(self.box, self.motor)
        self.output = Block.connect(self.flywheel, self.box)
        self.solver = Solver([self.motor, self.box, self.flywheel], **options)

    @property
    def input_momentum(self) -> float:
        """L_in [N m s]."""
        return float(self.box.get_state_vars()["_mesh"]["momentum"])

    @property
    def momentum(self) -> float:
        """N·L_in + L_out in first gear [N m s]."""
        return 4.0 * self.input_momentum + float(self.flywheel.inertia * self.flywheel.speed)

    @property
    def energy(self) -> float:
        """Of both shafts [J]."""
        momentum = self.input_momentum
        return 0.5 * momentum * momentum / INPUT_INERTIA + 0.5 * self.flywheel.inertia * self.flywheel.speed**2

    def run(self, steps: int = 1, delta_time: float = STEP) -> None:
        for _ in range(steps):
            self.box.states.speed = self.flywheel.speed * AROUND.lead
            self.solver.step(delta_time)

    def engage(self, gear: int) -> None:
        self.box.manual_gear = gear
        while self.box.sensor_gear != gear:
            self.run()

    def put(self, *, input_speed: float, output_speed: float) -> None:
        change(self.box, _mesh=self.box.get_state_vars()["_mesh"] | {"momentum": INPUT_INERTIA * input_speed})
        self.flywheel.speed = output_speed
        self.solver.update_shafts()
