"""Lays the frames of a profile beside those of a recorded car."""
