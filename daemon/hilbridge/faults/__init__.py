"""What goes wrong on purpose: faults on signals, frames, control units, links and in the vehicle."""
