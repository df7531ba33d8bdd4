"""Driving aids, a file for each. Start reading at `vehiclesim.aids.driving_aids`."""

from vehiclesim.aids.driving_aids import DrivingAids

__all__ = ["DrivingAids"]
