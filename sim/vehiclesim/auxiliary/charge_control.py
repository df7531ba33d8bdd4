"""The voltage that an engine's control unit asks of the alternator: much on overrun, little under load.

    overrun: the car turns it, no fuel burns     overrun_voltage: the battery takes what costs nothing
    charge below the band                        alternator_voltage, until the target is reached; under full load too
    charge within the band, on its way up        alternator_voltage, but under full load rest_voltage
    else                                         rest_voltage: the battery feeds the consumers

BMW's engine controls name three phases of it, IGR-High, -Medium and -Low, with a charge balance of each, and a voltage
that is asked for (EDIABAS descriptions of the DDE, job STATUS_IGRINFO_AEP); in its words the battery is never charged
full, so that it can take the current of overrun, and the alternator is not excited while the car accelerates (BMW WDS,
FB-120007). Mazda: at fuel cut the voltage rises, else the battery may discharge (CX-5, "Generator control"). GM and
Ford keep 80 % of charge (Silverado 2009, "Charging System Description"; Ranger 2022). LIN regulators take voltage and
ramp (NXP MC80310, "Target Voltage", "Ramp Rate").
"""

from typing import ClassVar, Final

from vehiclesim.parameters.auxiliary import ElectricsSettings
from vehiclesim.state import Stateful

_FULL_LOAD: Final = 0.9
"""Load from which the driver wants all that the engine has (assumed)."""

_RAMP: Final = 2.0
"""[V/s] of a 12 V regulator, so that lamps do not flicker (assumed)."""


class ChargeControl(Stateful):
    """The charge control of one vehicle. The attributes up to `load` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = ("voltage", "charging")

    def __init__(self, settings: ElectricsSettings) -> None:
        control = settings.alternator_control
        self.overrun: bool = False  # the car turns the engine, which burns no fuel
        self.load: float = 0.0  # of the engine, 0..1

        self._charge_voltage: float = settings.alternator_voltage
        self._overrun_voltage: float = control.overrun_voltage
        self._rest_voltage: float = control.rest_voltage
        self._target: float = control.target_charge
        self._least: float = control.target_charge - control.charge_band
        self._ramp: float = _RAMP * settings.nominal_voltage / 12.0

        self.voltage: float = settings.alternator_voltage  # [V] at 25 °C
        self.charging: bool = False  # on the way from the lower end of the band to its upper

    def step(self, charge: float, delta_time: float) -> None:
        """Advance by `delta_time` [s] at a charge of the battery: the voltage moves towards that of the table above."""
        if charge < self._least:
            self.charging = True
        elif charge >= self._target:
            self.charging = False
        if self.overrun:
            wanted = self._overrun_voltage
        elif self.charging and (self.load < _FULL_LOAD or charge < self._least):
            wanted = self._charge_voltage
        else:
            wanted = self._rest_voltage
        most = self._ramp * delta_time
        difference = wanted - self.voltage
        if difference > most:
            difference = most
        elif difference < -most:
            difference = -most
        self.voltage += difference
