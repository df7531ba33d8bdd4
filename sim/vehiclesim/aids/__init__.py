"""Driving aids, a file for each. Start reading at `vehiclesim.aids.driving_aids`."""

from vehiclesim.aids.driving_aids import AidsState, DrivingAids

__all__ = ["AidsState", "DrivingAids"]
