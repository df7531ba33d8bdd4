"""Fault injection: faults of signals, frames, control units, links, and of the vehicle."""
