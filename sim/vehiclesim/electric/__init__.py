"""Electric drive: the motor on gearbox or belt, its battery, and the control that shares torque with the engine."""
