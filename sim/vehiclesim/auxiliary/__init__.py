"""Auxiliaries of a vehicle, the values of clusters and scan tools besides the drivetrain: read auxiliaries.py first."""

from vehiclesim.auxiliary.auxiliaries import Auxiliaries, AuxiliaryMemory

__all__ = ["Auxiliaries", "AuxiliaryMemory"]
