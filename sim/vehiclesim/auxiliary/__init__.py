"""What clusters and scan tools show besides the drivetrain: a file per effect, and auxiliaries.py that owns all."""

from vehiclesim.auxiliary.auxiliaries import Auxiliaries, AuxiliaryMemory

__all__ = ["Auxiliaries", "AuxiliaryMemory"]
