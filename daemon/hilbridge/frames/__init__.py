"""Frames of a bus: their bytes, their protection, their way and their plan."""
