"""Losses of an electric machine with its inverter of which no map is published: four terms that grow with its size.

The coefficients of the machine are those of the Nissan Leaf's of 2012 (280 Nm, 80 kW, 375 V, windings at 65 °C), by
least squares of relative deviations (7 % rms) over the losses that Motor-CAD computes up to 7000 1/min from its
published geometry (github.com/tvattsvamp/EDR100, Nissan_Leaf_Sample_Data.mat). Those of the inverter are of the data
sheet of an Infineon FS820 at 350 V, 10 kHz and the machine's 1.16 A/Nm (IGBT_FS820_data.mat beside it). Currents, and
so the inverter's losses for each watt, are those of batteries of some 350 V.

What ORNL measured of that machine and its inverter, read from its pictures (github.com/MohanRajkumar1999, "Nissan Leaf
Motor Efficiency"), has twice the iron and 1.4 times the inverter; so has a Honda EV Plus of 1997 (ADVISOR, MC_PM49).
Which of both is nearer to cars of 2022 was decided by the first list of docs/model.md. The weakening of the field at
high speed is left out: 0.4 kW at 9000 1/min of that machine.
"""

from typing import Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.parameters.electric import MotorSettings
from vehiclesim.tables import Map

COPPER: Final = 15.4
"""c_c [W/Nm] at the highest torque: the same in machines of the same current density."""

HYSTERESIS: Final = 0.0020
"""c_h, of the highest torque: hysteresis and bearings."""

EDDY: Final = 2.4e-6
"""c_e [s], of the highest torque for each rad/s: eddy currents."""

INVERTER: Final = 0.026
"""c_i, of the highest power at the highest torque: thresholds and switching of semiconductors go with the current."""

SPEEDS: Final[tuple[float, ...]] = (0.15, 0.3, 0.55, 1.0)
"""Points of the table, over the highest speed."""

TORQUES: Final[tuple[float, ...]] = (0.05, 0.15, 0.4, 1.0)
"""Points of the table, over the highest torque."""


def rule_loss(settings: MotorSettings, w: float, torque: float) -> float:
    """Return P = c_c·T²/T_m + (c_h·w + c_e·w²)·T_m + c_i·P_m·T/T_m [W] at a speed [rad/s] and a torque [N m].

    T_m and P_m are the machine's highest torque and power: copper and iron grow with the torque, semiconductors with
    the power.
    """
    share = torque / settings.max_torque
    current = COPPER * share * torque + INVERTER * share * settings.max_power * 1e3
    return settings.loss_factor * (current + _iron(settings, w))


def idle_loss(settings: MotorSettings, w: float) -> float:
    """Return the loss [W] of a rotor without torque, whose inverter does not switch."""
    if settings.drag_torque is not None:
        return settings.drag_torque * w
    return settings.loss_factor * _iron(settings, w)


def rule_map(settings: MotorSettings) -> Map:
    """Return the loss [W] over speed [rad/s] and torque [N m]."""
    speeds = [0.0, *(share * settings.max_rpm * RPM_TO_W for share in SPEEDS)]
    torques = [share * settings.max_torque for share in TORQUES]
    rows = [[idle_loss(settings, w), *(rule_loss(settings, w, torque) for torque in torques)] for w in speeds]
    return Map(speeds, [0.0, *torques], rows)


def _iron(settings: MotorSettings, w: float) -> float:
    return (HYSTERESIS + EDDY * w) * w * settings.max_torque
