"""hilbridge: a hardware-in-the-loop bridge that makes a vehicle model look like a real car on the wire."""

__version__ = "0.3.0"
