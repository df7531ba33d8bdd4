"""A plan with faults on one bus, ticked by hand; what reaches the bus is noted as (tick of 1 ms, frame)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cantools.database
from cantools.database.can import Database as CanDatabase
from pydantic import TypeAdapter

from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.faults.effects import FaultTargets
from hilbridge.bench.faults.injector import Injector
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus

DBC = """VERSION ""

BU_: ECU BODY IDLE

BO_ 256 Engine: 8 ECU
 SG_ EngineRpm : 0|16@1+ (0.25,0) [0|16000] "rpm" X
 SG_ Coolant : 16|8@1+ (1,-40) [-40|210] "" X
 SG_ Torque : 31|16@0- (0.5,0) [0|0] "Nm" X
 SG_ COUNTER : 40|4@1+ (1,0) [0|15] "" X
 SG_ CHECKSUM : 56|8@1+ (1,0) [0|255] "" X

BO_ 257 Pages: 3 ECU
 SG_ Page M : 0|8@1+ (1,0) [0|255] "" X
 SG_ One m1 : 8|8@1+ (1,0) [0|255] "" X
 SG_ Two m2 : 8|8@1+ (1,0) [0|255] "" X

BO_ 512 Lamps: 5 BODY
 SG_ Lamp : 0|8@1+ (1,0) [0|1] "" X
 SG_ Exact : 8|32@1- (1,0) [0|0] "" X

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 10;
VAL_ 256 Coolant 255 "SNA";
SIG_VALTYPE_ 512 Exact : 1;
"""

PROTECTION = {
    "counter": {"at": "COUNTER"},
    "checksum": {"at": "CHECKSUM", "algorithm": "crc8", "last": 6},
}

CYCLE = 10
"""[ms] of every frame; the phases spread them."""


def fault(**settings: Any) -> FaultSettings:
    """A fault as the bench file has it; `lasts` stands for its key `for`."""
    if "lasts" in settings:
        settings["for"] = settings.pop("lasts")
    adapter: TypeAdapter[FaultSettings] = TypeAdapter(FaultSettings)
    return adapter.validate_python(settings)


def of_engine(effect: str, **settings: Any) -> FaultSettings:
    return fault(kind="frame", bus="can", message="Engine", effect=effect, **settings)


def of_signal(signal: str, effect: str, message: str = "Engine", **settings: Any) -> FaultSettings:
    return fault(kind="signal", bus="can", message=message, signal=signal, effect=effect, **settings)


class Rig:
    """`sent` and `log` as they come; the vehicle runs at 1000 rpm, 90 °C and 100 Nm."""

    def __init__(
        self,
        folder: Path,
        *faults: FaultSettings,
        seed: int = 0,
        messages: Mapping[str, Any] | None = None,
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        (folder / "rig.dbc").write_text(DBC)
        self.sent: list[tuple[int, Frame]] = []
        self.log: list[tuple[int, str, dict[str, Any]]] = []
        self.bus = Bus("can")
        self.bus.attach_observer(lambda t, _bus, _received, frame: self.sent.append((t // MILLISECOND, frame)))
        self.data = DataBus()
        self.data.write(1, VehicleData.ENGINE_RPM, 1000.0)
        maps: dict[str, Any] = {
            "Engine": {
                "protection": [PROTECTION],
                "signals": {"Coolant": {"constant": 90}, "Torque": {"constant": 100}},
            },
            "Pages": {"signals": {"Page": {"constant": 1}, "One": {"constant": 7}}},
            "Lamps": {"signals": {"Exact": {"constant": 1.5}}},
        }
        bus = {
            "interface": "embedded",
            "database": "rig.dbc",
            "transmit": ["ECU", "BODY"],
            "messages": maps | dict(messages or {}),
            "raw": dict(raw or {}),
        }
        bench = BenchSettings.model_validate({"name": "b", "vehicle": "v", "seed": seed, "buses": {"can": bus}})
        databases = {"can": load_database(folder / "rig.dbc")}
        self.plan = FramePlan(bench, databases, self.data, {"can": self.bus})
        self.holds = Overrides("fault")
        self.arbiter = Arbiter(self.data, [self.holds], self)
        self.arbiter.rest()
        self.parts = FaultTargets(
            self.plan.frames, {"can": self.bus}, databases, self.holds, ecus=("engine", "transmission")
        )
        self.injector = Injector(faults, RunSeed(seed), self.parts, self)
        self.tick = 0

    def info(self, t: int, event: str, **fields: Any) -> None:
        self.log.append((t // MILLISECOND, event, fields))

    def warning(self, t: int, event: str, **fields: Any) -> None:
        self.info(t, event, **fields)

    @property
    def t(self) -> int:
        """[ns] of the tick that comes next."""
        return self.tick * MILLISECOND

    def play(self, ticks: int) -> None:
        """So many ticks of 1 ms."""
        for _ in range(ticks):
            t = self.t
            self.injector.poll(t)
            self.bus.exchange(t)
            self.arbiter.sample(t)
            self.plan.publish(t)
            self.bus.exchange(t)
            self.tick += 1

    def frames(self, can_id: int = 0x100) -> list[bytes]:
        """The bytes of all frames of an identifier."""
        return [frame.data for _, frame in self.sent if frame.can_id == can_id]

    def times(self, can_id: int = 0x100) -> list[int]:
        """The ticks in which they went."""
        return [tick for tick, frame in self.sent if frame.can_id == can_id]

    def values(self, signal: str, message: str = "Engine") -> list[Any]:
        """What a receiver with cantools reads of a signal, frame by frame."""
        database = cantools.database.load_string(DBC)
        assert isinstance(database, CanDatabase)
        layout = database.get_message_by_name(message)
        return [layout.decode_simple(data, decode_choices=False).get(signal) for data in self.frames(layout.frame_id)]
