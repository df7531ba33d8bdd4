"""Settings of faults: what goes wrong, when, and for how long.

The same classes are the items of the bench file's `faults` and what `hilbridge ctl fault add` sends.
"""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import FRAME_LENGTHS
from hilbridge.files.settings.common import Name, completes, unit
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault
from hilbridge.files.settings.fault_times import LONGEST_DELAY, TimedFault, refuse


class _OfFrames(TimedFault):
    """A fault that hits frames one by one."""

    frames: Annotated[
        int | None, Field(ge=1, description="over when it has hit so many frames; default: any number")
    ] = None
    probability: Annotated[float, Field(gt=0, le=1, description="of each frame to be hit")] = 1.0


class _OfMessage(_OfFrames):
    """A fault that hits frames of the plan."""

    bus: Annotated[Name, Field(description="one of 'buses'")]
    message: Annotated[str | int, Field(description="a message or raw frame that the bench sends, or its identifier")]

    @property
    def target(self) -> str:
        """`powertrain.EngineData1`."""
        return f"{self.bus}.{self.message if isinstance(self.message, str) else f'0x{self.message:X}'}"


class SignalFault(_OfMessage):
    """A wrong value in a signal, before counters and checksums are filled in: the frame itself is flawless.

    offset: + value; scale: · value; stuck: at the value, or where it is; noise: + a random number; drop-out: "not
    available", or 0 where the signal cannot say so. What comes out is limited as all values are.
    """

    kind: Literal["signal"]
    signal: Annotated[str, Field(description="signal of the message")]
    effect: Literal["offset", "scale", "stuck", "noise", "drop-out"]
    value: Annotated[
        float | None,
        Field(description="in the signal's unit; scale: the factor; noise: largest or, if normal, standard deviation"),
    ] = None
    distribution: Annotated[Literal["uniform", "normal"], Field(description="of the noise")] = "uniform"

    @model_validator(mode="after")
    def _value_of_the_effect(self) -> "SignalFault":
        if self.value is None and self.effect in ("offset", "scale", "noise"):
            raise ConfigurationError(f"is missing: '{self.effect}' needs a value", ("value",))
        refuse(self, "value", self.effect == "drop-out", "offset, scale, stuck or noise")
        refuse(self, "distribution", self.effect != "noise", "noise")
        if self.effect == "noise" and self.value is not None and self.value <= 0:
            raise ConfigurationError(f"must be greater than 0, found {self.value:g}", ("value",))
        return self

    def describe(self) -> str:
        """For people, as all faults are described: `signal powertrain.EngineData1.EngineRpm offset 500`."""
        parts = ["signal", f"{self.target}.{self.signal}", self.effect]
        if self.value is not None:
            parts.append(f"{self.value:g}")
        return " ".join(parts)


class _OnTheWay(_OfFrames):
    """A fault of frames as a whole, with what its effect needs."""

    delay: Annotated[
        float | None, Field(gt=0, le=LONGEST_DELAY, description="of the effect delay", json_schema_extra=unit("ms"))
    ] = None
    length: Annotated[
        int | None, Field(ge=0, le=64, description="of the effect length", json_schema_extra=unit("byte"))
    ] = None

    @model_validator(mode="after")
    def _number_of_the_effect(self) -> Self:
        effect = getattr(self, "effect", None)
        for key in ("delay", "length"):
            if effect == key and getattr(self, key) is None:
                raise ConfigurationError(f"is missing: the effect '{key}' needs it", (key,))
            refuse(self, key, effect != key, key)
        if self.length is not None and self.length not in FRAME_LENGTHS:
            raise ConfigurationError(f"there is no CAN frame of {self.length} bytes", ("length",))
        return self

    def _numbers(self) -> list[str]:
        numbers = [] if self.delay is None else [f"{self.delay:g} ms"]
        return numbers if self.length is None else [*numbers, str(self.length)]


class FrameFault(_OnTheWay, _OfMessage):
    """A fault of a frame on its way.

    drop: it is lost after its counter advanced. delay: it goes later, the plan's times stay. duplicate: it goes twice.
    length: it is cut, or filled up with 0. corrupt: one bit, by chance, is wrong. counter, checksum: a wrong one, with
    what is right going on beneath.
    """

    kind: Literal["frame"]
    effect: Literal["drop", "delay", "duplicate", "length", "corrupt", "counter", "checksum"]
    wrong: Annotated[
        Literal["offset", "value", "freeze", "random"],
        Field(
            description="counter and checksum: the right one + amount; the amount itself; the last one before the"
            " fault; any but the right one"
        ),
    ] = "offset"
    amount: Annotated[int, Field(description="of 'wrong: offset' and 'wrong: value'")] = 1
    group: Annotated[int, Field(ge=0, description="which item of the message's 'protection', from 0")] = 0

    @model_validator(mode="after")
    def _keys_of_the_effect(self) -> "FrameFault":
        for key in ("wrong", "amount", "group"):
            refuse(self, key, self.effect not in ("counter", "checksum"), "counter or checksum")
        if "amount" in self.model_fields_set and self.wrong in ("freeze", "random"):
            raise ConfigurationError("belongs to 'wrong: offset' and 'wrong: value'", ("amount",))
        return self

    def describe(self) -> str:
        parts = ["frame", self.target, self.effect, *self._numbers()]
        if self.effect in ("counter", "checksum"):
            parts.append(self.wrong if self.wrong in ("freeze", "random") else f"{self.wrong} {self.amount}")
        return " ".join(parts)


class RouteFault(_OnTheWay):
    """A fault of frames on a route of the gateway: as of a frame on its way, with no other route touched."""

    kind: Literal["route"]
    route: Annotated[Name, Field(description="one of 'gateway'")]
    effect: Literal["drop", "delay", "duplicate", "length", "corrupt"]

    def describe(self) -> str:
        return " ".join(["route", self.route, self.effect, *self._numbers()])


class EcuFault(TimedFault):
    """A control unit says nothing: neither the messages of a database node on a bus, nor diagnostic answers."""

    kind: Literal["ecu"]
    bus: Annotated[Name | None, Field(description="of the node: one of 'buses'")] = None
    node: Annotated[str | None, Field(description="node of the bus's database")] = None
    ecu: Annotated[str | None, Field(description="diagnostic control unit")] = None

    @model_validator(mode="after")
    def _require_ecu(self) -> "EcuFault":
        if (self.bus is None) != (self.node is None):
            raise ConfigurationError("'bus' and 'node' belong together; one of them is missing")
        if self.node is None and self.ecu is None:
            raise ConfigurationError("needs 'bus' and 'node', or 'ecu'")
        return self

    def describe(self) -> str:
        whom = [f"{self.bus}.{self.node}"] if self.node is not None else []
        return " ".join(["ecu", *whom, *([self.ecu] if self.ecu is not None else []), "silent"])


class LinkFault(TimedFault):
    """A bus that is cut off from the outside: the cable is out (down), or its controller has left it (bus-off)."""

    kind: Literal["link"]
    bus: Annotated[Name, Field(description="one of 'buses'")]
    effect: Literal["down", "bus-off"]

    def describe(self) -> str:
        return f"link {self.bus} {self.effect}"


class PhysicsFault(TimedFault):
    """Something is wrong with the vehicle itself: an entry of the Fault channel is held."""

    kind: Literal["physics"]
    entry: Annotated[str, Field(description="e.g. fault.Misfire, or Misfire", json_schema_extra=completes("fault"))]
    value: Annotated[float, Field(description="0: nothing is wrong, 1: all of it; StuckThrottle: where it is stuck")]

    def describe(self) -> str:
        return f"physics {self.entry} {self.value:g}"


class SensorFault(TimedFault):
    """A sensor reads something else than the vehicle has: for frames, control units and the engine control alike.

    open, ground, supply: its line is open, or shorted, and it reads what config/VALUES.md says. offset: + value;
    scale: · value; stuck: at the value, or where it is; slow: it follows with a time constant; noise: + a random
    number, within the value.
    """

    kind: Literal["sensor"]
    entry: Annotated[str, Field(description="what it measures, e.g. auxiliary.CoolantTemperature, or its last part")]
    effect: Literal["open", "ground", "supply", "offset", "scale", "stuck", "slow", "noise"]
    value: Annotated[
        float | None,
        Field(description="in the entry's unit; scale: the factor; slow: the time constant in s"),
    ] = None

    @model_validator(mode="after")
    def _value_of_the_effect(self) -> "SensorFault":
        if self.value is None and self.effect in ("offset", "scale", "slow", "noise"):
            raise ConfigurationError(f"is missing: '{self.effect}' needs a value", ("value",))
        refuse(self, "value", self.effect in ("open", "ground", "supply"), "offset, scale, stuck, slow or noise")
        if self.effect in ("slow", "noise") and self.value is not None and self.value <= 0:
            raise ConfigurationError(f"must be greater than 0, found {self.value:g}", ("value",))
        return self

    def describe(self) -> str:
        parts = ["sensor", self.entry, self.effect]
        if self.value is not None:
            parts.append(f"{self.value:g}")
        return " ".join(parts)


FaultSettings: TypeAlias = Annotated[
    SignalFault | FrameFault | RouteFault | EcuFault | LinkFault | PhysicsFault | SensorFault | DiagnosticsFault,
    Field(discriminator="kind"),
]
