"""Writes the frames of a profile for other programs."""
