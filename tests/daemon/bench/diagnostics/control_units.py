"""Control units on a vehicle that stands still until a test sets its data bus."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.build import build_troubles
from hilbridge.bench.diagnostics.dtc.codes import TroubleCode, codes_of
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.address import address_of
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.obd.build import build_obd
from hilbridge.bench.diagnostics.obd.scaling import PidScaling
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.files.configuration.benchfile import load_codes
from hilbridge.files.configuration.units import load_unit
from hilbridge.files.settings.obd_data import DataTable
from hilbridge.files.settings.units import AddressSettings, CalibrationSettings, ObdSettings, UnitSettings
from hilbridge.frames.codec.database import load_database
from vehiclesim import EngineSettings, GearboxSettings, Vehicle, VehicleSettings
from vehiclesim.channels import AUXILIARY, CHASSIS, VEHICLE, AuxiliaryData, VehicleData
from vehiclesim.entries import ENTRIES, find
from vehiclesim.parameters.auxiliary import AirPathSettings, AuxiliarySettings, FuelKind

CHECKOUT = Path(__file__).parents[4]

CODES = load_codes(CHECKOUT / "config" / "codes.yaml")
SCALING = PidScaling(load_database(CHECKOUT / "dbc" / "obd2.dbc"))


def shipped_pids(template: str) -> DataTable:
    """The PIDs of a template in config/units."""
    return TypeAdapter(DataTable).validate_python(load_unit(template).data["obd"]["pids"])


CALIBRATIONS = [CalibrationSettings(id="ENG-1", cvn=0x12345678), CalibrationSettings(id="ENG-DATA-02")]
ENGINE = UnitSettings(
    bus="powertrain",
    addresses=[AddressSettings(request=0x7E0, answer=0x7E8), AddressSettings(address=0x10)],
    vin="WHBZZZ1EZSA000007",
    obd=ObdSettings(role="engine", calibrations=CALIBRATIONS, pids=shipped_pids("engine")),
)
TRANSMISSION = UnitSettings(
    bus="powertrain",
    addresses=[AddressSettings(request=0x7E1, answer=0x7E9), AddressSettings(address=0x18)],
    obd=ObdSettings(role="transmission", pids=shipped_pids("gearbox")),
)

PETROL = VehicleSettings(
    engine=EngineSettings(rpm_limiter=True, rpm_limiter_max=6000.0),
    gearbox=GearboxSettings(ratios=(3.84, 2.35, 1.53), reverse_ratios=(-3.44, -1.2)),
)
DIESEL = replace(PETROL, auxiliary=AuxiliarySettings(air_path=AirPathSettings(fuel=FuelKind.DIESEL)))

TENTH = SECOND // 10


def shipped_codes(ecu: str) -> dict[str, TroubleCode]:
    """The codes of config/codes.yaml that one control unit keeps."""
    return codes_of({name: code for name, code in CODES.codes.items() if code.ecu == ecu}, CODES.monitors)


class Bench:
    """A vehicle and its control units; `t` advances by tenths of a second."""

    def __init__(
        self,
        *units: UnitSettings,
        car: VehicleSettings = PETROL,
        observers: Mapping[str, Callable[[], float]] | None = None,
    ) -> None:
        self.vehicle = Vehicle(car)
        self.data = self.vehicle.data
        for channel in (VEHICLE, AUXILIARY, CHASSIS):
            self.data.channels[channel][:] = [entry.rest for entry in ENTRIES[channel]]
        self.set(auxiliary_BatteryVoltage=14_000, auxiliary_IntakePressure=101_325, auxiliary_AirMassFlow=3_000)
        self.set(auxiliary_OilPressure=300_000, auxiliary_Lambda=10_020, auxiliary_RearOxygenVoltage=650)
        self.nvram = Nvram()
        self.ecus = []
        for one in units or (ENGINE,):
            assert one.obd is not None
            monitors = build_troubles({one.obd.role}, CODES, vehicle=self.vehicle, observers=observers or {}, unit=one)
            obd = build_obd(
                one.obd, one.vin, vehicle=self.vehicle, scaling=SCALING, monitors=monitors, nvram=self.nvram
            )
            addresses = [address_of(address) for address in one.addresses]
            self.ecus.append(Ecu(one.obd.role, monitors, addresses=addresses, obd=obd))
        self.t = 0

    @property
    def obd(self) -> ObdServer:
        services = self.ecus[0].obd
        assert services is not None
        return services

    @property
    def store(self) -> TroubleStore:
        return self.ecus[0].store

    def set(self, **entries: int) -> None:
        """Integers of the data bus, by channel_Name."""
        for name, raw in entries.items():
            place = find(name.replace("_", ".", 1))
            assert place is not None, name
            self.data.set(*place, raw)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.t += TENTH
            if self.data.vehicle[VehicleData.ENGINE_WORKING]:
                self.data.auxiliary[AuxiliaryData.RUN_TIME] += 100
            for ecu in self.ecus:
                ecu.advance(self.t)

    def ask(self, request: str, *, functional: bool = False, ecu: int = 0) -> str | None:
        """The answer in hexadecimal."""
        answer = self.ecus[ecu].request(bytes.fromhex(request), functional, self.t)
        return None if answer is None else answer.hex(" ")

    def data_of(self, pid: int) -> bytes:
        """The data bytes of a PID of service 01."""
        answer = self.ecus[0].request(bytes((1, pid)), functional=False, t=self.t)
        assert answer is not None
        assert answer[:2] == bytes((0x41, pid))
        return answer[2:]

    def start(self) -> None:
        """Key on, engine running."""
        self.set(input_Key=0, vehicle_EngineWorking=1, vehicle_EngineRpm=800_000)

    def stop(self) -> None:
        self.set(input_Key=-1, vehicle_EngineWorking=0, vehicle_EngineRpm=0)

    def drive_cycle(self, seconds: float = 20.0) -> None:
        """Key on, engine on, a while, key off."""
        self.start()
        self.wait(seconds)
        self.stop()
        self.wait(0.2)
