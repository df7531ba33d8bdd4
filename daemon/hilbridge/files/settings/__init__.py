"""The bench file: every setting, its type, bounds and default.

The classes mirror the YAML file key by key. They are read once at start; what the tick needs is copied into the
objects it works with. `hilbridge schema` prints the same classes as JSON Schema, and makes config/reference of them.
What only shows when several settings are seen together is checked in consistency.py.
"""

from hilbridge.files.settings.bench import BenchSettings
from hilbridge.files.settings.buses import BusSettings
from hilbridge.files.settings.common import NAME_RULE, RATES, Name, Settings
from hilbridge.files.settings.diagnostics import DiagnosticsSettings
from hilbridge.files.settings.frames import MessageMap, SignalMap
from hilbridge.files.settings.input_signals import InputSignal
from hilbridge.files.settings.inputs import (
    PORT_INPUTS,
    BoardInput,
    CanInput,
    DemoDriverInput,
    EvdevInput,
    InputSource,
    SerialInput,
    UdpInput,
)

__all__ = [
    "NAME_RULE",
    "PORT_INPUTS",
    "RATES",
    "BenchSettings",
    "BoardInput",
    "BusSettings",
    "CanInput",
    "DemoDriverInput",
    "DiagnosticsSettings",
    "EvdevInput",
    "InputSignal",
    "InputSource",
    "MessageMap",
    "Name",
    "SerialInput",
    "Settings",
    "SignalMap",
    "UdpInput",
]
