"""Electric drive: the motor on the input shaft of the gearbox, its battery, and the control that shares the torque."""
