"""What a unit supports follows the drive of the vehicle; python-OBD has the tables of SAE J1979-DA."""

import re
from dataclasses import replace
from typing import Any

import obd  # type: ignore[import-untyped]
import pytest
from obd.codes import DTC, OBD_COMPLIANCE  # type: ignore[import-untyped]
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.drive import part_of_engine
from hilbridge.bench.diagnostics.j1939.trouble_reports import DM5, DM20, trouble_reports
from hilbridge.bench.diagnostics.obd.pids import STANDARDS
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.files.settings.units import Standard, UnitSettings
from vehiclesim import VehicleSettings
from vehiclesim.parameters.electric import ElectricTopology

from .control_units import CHECKOUT, DIESEL, ENGINE, PETROL, Bench

OF_ENGINES = ("0601", "0621", "0681", "06a1", "06a2", "0113", "0115", "0103", "0106", "010b", "0144", "0161", "0908")
"""Requests that only a combustion engine can answer."""


def vehicle(bench: str) -> VehicleSettings:
    """The vehicle of a shipped bench."""
    name = load_bench(str(CHECKOUT / "config" / "benches" / f"{bench}.yaml")).settings.vehicle
    assert isinstance(name, str)
    return load_vehicle(str(CHECKOUT / "config" / "vehicles" / f"{name}.yaml")).settings


def with_motor(car: VehicleSettings, topology: ElectricTopology) -> VehicleSettings:
    return replace(car, electric=replace(car.electric, topology=topology))


def own(**keys: Any) -> UnitSettings:
    """The engine's unit with other keys."""
    return UnitSettings.model_validate(ENGINE.model_dump(by_alias=True, exclude_unset=True) | keys)


def fuelled(fuel: str | None) -> UnitSettings:
    assert ENGINE.obd is not None
    return ENGINE.model_copy(update={"obd": ENGINE.obd.model_copy(update={"fuel": fuel})})


def decoded(car: Bench, name: str) -> Any:
    command = obd.commands[name]
    message = Message([])
    message.data = bytearray(bytes((0x41, command.pid)) + car.data_of(command.pid))
    return command.decode([message])


@pytest.mark.parametrize(
    ("bench", "fuel"),
    [("electric", "Electric"), ("hybrid", "Hybrid gasoline"), ("truck", "Diesel"), ("demo", "Gasoline")],
)
def test_python_obd_reads_the_drive_of_the_shipped_benches(bench: str, fuel: str) -> None:
    assert decoded(Bench(car=vehicle(bench)), "FUEL_TYPE") == fuel


@pytest.mark.parametrize(
    ("fuel", "alone"),
    [("ethanol", "Ethanol"), ("methanol", "Methanol"), ("lpg", "LPG"), ("cng", "CNG"), ("propane", "Propane")],
)
def test_other_fuels_are_a_key_of_the_unit(fuel: str, alone: str) -> None:
    """Only ethanol has a code of its own for a hybrid."""
    assert decoded(Bench(fuelled(fuel)), "FUEL_TYPE") == alone
    hybrid = decoded(Bench(fuelled(fuel), car=vehicle("hybrid")), "FUEL_TYPE")
    assert hybrid == ("Hybrid Ethanol" if fuel == "ethanol" else "Hybrid running electric and combustion engine")


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("demo", {"Hydrogen Internal Combustion Engine": 30}),
        ("electric", {"Fuel cell utilizing hydrogen": 29}),
        ("hybrid", {"Hybrid vehicle using battery and combustion engine for propulsion": 21}),
    ],
)
def test_hydrogen_is_burnt_or_feeds_a_fuel_cell(name: str, published: dict[str, int]) -> None:
    """OBDb/SAEJ1979, d528efd8: python-OBD's table ends at 23. A fuel cell brings no monitor of an engine."""
    car = Bench(fuelled("hydrogen"), car=vehicle(name))
    assert list(car.data_of(0x51)) == list(published.values())
    status = decoded(car, "STATUS")
    assert (status.ignition_type, status.MISFIRE_MONITORING.available) == ("spark", name != "electric")


@pytest.mark.parametrize(
    ("car", "mode"),
    [
        (vehicle("demo"), None),
        (DIESEL, None),
        (vehicle("electric"), 1),
        (vehicle("hybrid"), 0),
        (with_motor(DIESEL, ElectricTopology.P0_HYBRID), 0),
    ],
)
def test_a_traction_battery_has_its_pids_whatever_the_template(car: VehicleSettings, mode: int | None) -> None:
    """Places of PID 9A as OBDb/SAEJ1979 (d528efd8) has them by bits: 8 and 16 are the second and third byte."""
    bench = Bench(car=car)
    bench.set(electric_TractionCharge=5000, electric_TractionVoltage=360_500, electric_TractionCurrent=-12_300)
    if mode is None:
        assert [(bench.ask(one) or "7f")[:2] for one in ("015b", "019a")] == ["7f", "7f"]
        return
    digits = f"{int.from_bytes(bench.data_of(0x9A), 'big'):048b}"

    def field(first: int, width: int) -> int:
        return int(digits[first : first + width], 2)

    assert [field(bit, 1) for bit in (4, 5, 6, 7)] == [0, 1, 1, 1]
    assert (field(8, 8), field(16, 16) / 64) == (mode, 360.5)
    assert (field(32, 16) - 0x10000) / 10 == pytest.approx(-12.3)
    assert decoded(bench, "HYBRID_BATTERY_REMAINING").magnitude == pytest.approx(50, abs=0.4)


@pytest.mark.parametrize("car", [DIESEL, with_motor(PETROL, ElectricTopology.BATTERY_ELECTRIC)])
def test_a_fuel_without_its_engine_is_an_error(car: VehicleSettings) -> None:
    with pytest.raises(ConfigurationError, match="needs a spark-ignition engine") as error:
        Bench(fuelled("cng"), car=car)
    assert error.value.place[-1:] == ("fuel",)


def test_a_diesel_hybrid_has_its_code_and_the_monitors_of_a_diesel() -> None:
    car = Bench(car=with_motor(DIESEL, ElectricTopology.P0_HYBRID))
    assert decoded(car, "FUEL_TYPE") == "Hybrid Diesel"
    assert decoded(car, "STATUS").ignition_type == "compression"


def test_an_electric_car_has_nothing_of_an_engine() -> None:
    """Even with the template of an engine's unit; readiness is "not supported, complete" but for components."""
    car = Bench(car=vehicle("electric"))
    petrol = Bench(car=vehicle("demo"))
    for request in OF_ENGINES:
        assert (car.ask(request) or "7f").startswith("7f"), request
    assert any(not (petrol.ask(request) or "7f").startswith("7f") for request in OF_ENGINES)
    assert not [name for name in car.store.troubles if name[:3] in ("P01", "P03", "P04")]
    status = decoded(car, "STATUS")
    offered = [one for one in vars(status).values() if getattr(one, "available", False)]
    assert {one.name for one in offered} == {"COMPONENT_MONITORING"}
    car.set(input_Key=0)
    car.wait(11)
    assert car.data_of(0x01) == bytes((0, 0b100, 0, 0))
    assert car.data_of(0x41)[2:] == b"\0\0"


OF_AN_ENGINE = re.compile(
    r"misfire|injector|injection|\bO2 sensor|HO2S|catalyst|ignition coil|camshaft|crankshaft|turbo|wastegate|exhaust"
    r"|knock|evap(orative)? (emission|purge)|glow plug|secondary air|fuel (rail|trim|level|pump|temp)|mass or volume"
    r"|particulate|NOx|idle air|oil pressure|too (lean|rich)",
    re.IGNORECASE,
)
OF_ANY_CAR = re.compile(
    r"transmission|brake|vehicle speed|cruise|A/C|\bfan\b|battery|ambient|power steering|clutch|gear|shift|pedal|hybrid"
    r"|generator|coolant",
    re.IGNORECASE,
)


def test_codes_of_an_engine_are_those_whose_text_names_a_part_of_one() -> None:
    """The texts of SAE J2012 as python-OBD has them: 2,066, of which P0xxx and P2xxx are of all makers."""
    texts = {code: text for code, text in DTC.items() if code[:2] in ("P0", "P2")}
    named = {code for code, text in texts.items() if OF_AN_ENGINE.search(text)}
    others = {code for code, text in texts.items() if OF_ANY_CAR.search(text)} - named
    known = {code for code in texts if part_of_engine(code) is not None}
    assert (len(named) > 500, len(others) > 200) == (True, True)
    assert (named - known, others & known) == (set(), set())


def requirements(text: str) -> str:
    """Words of python-OBD in one spelling: the short form in brackets, or the words before them."""
    long, _, short = text.replace("OBD I", "OBD-I").replace(", and", " and").rstrip(")").rpartition(" (")
    name = short if not long or short not in ("Europe", "Japan") else long
    return {"Not OBD compliant": "none", "HD EOBD-IV": "HD EOBD-VI"}.get(name, name.partition(" as defined")[0])


def test_requirements_have_the_numbers_of_python_obd() -> None:
    """Its HD EOBD-IV is stage VI, as the words before it say; OBD alone is that of the EPA, OBD-II that of CARB."""
    known = {requirements(text): number for number, text in enumerate(OBD_COMPLIANCE) if number and text != "Reserved"}
    assert dict(STANDARDS) == known


@pytest.mark.parametrize(
    ("bench", "standard", "told"),
    [
        ("demo", None, "EOBD (Europe)"),
        ("hybrid", None, "EOBD (Europe)"),
        ("electric", None, "Not OBD compliant"),
        ("electric", "EOBD", "EOBD (Europe)"),
        ("demo", "KOBD", "Korean OBD (KOBD)"),
    ],
)
def test_requirements_follow_the_drive_unless_they_are_said(bench: str, standard: Standard | None, told: str) -> None:
    assert ENGINE.obd is not None
    unit = ENGINE.model_copy(update={"obd": ENGINE.obd.model_copy(update={"standard": standard})})
    assert decoded(Bench(unit, car=vehicle(bench)), "OBD_COMPLIANCE") == told


def test_hybrids_keep_what_their_engine_has() -> None:
    car, petrol = Bench(car=vehicle("hybrid")), Bench(car=vehicle("demo"))
    assert car.data_of(0x01)[1:3] == petrol.data_of(0x01)[1:3]
    assert list(car.store.troubles) == list(petrol.store.troubles)


def test_an_electric_truck_says_so_in_dm5_and_dm20() -> None:
    """SPN 1220 is numbered as PID 1C."""
    car = Bench(car=with_motor(vehicle("truck"), ElectricTopology.BATTERY_ELECTRIC))
    reports = trouble_reports(car.store, car.data, "electric")
    dm5 = reports[DM5]()
    assert OBD_COMPLIANCE[dm5[2]] == "Not OBD compliant"
    assert (dm5[3] & 0b11, dm5[4:]) == (0, bytes(4))
    assert reports[DM20]()[4:] == b"\xff" * 4


CODE = {"text": "of the bench"}


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"codes": {"P0420": CODE}}, ("codes", "P0420")),
        ({"codes": {"P0301": CODE}}, ("codes", "P0301")),
        ({"codes": {"P0335": CODE}}, ("codes", "P0335")),
        ({"codes": {"P2263": CODE}}, ("codes", "P2263")),
        ({"codes": {"P1ABC": CODE | {"fuels": ["petrol"]}}}, ("codes", "P1ABC", "fuels")),
        (
            {
                "codes": {"P1ABC": CODE},
                "monitors": {"m": {"code": "P1ABC", "value": "1", "maximum": 2, "group": "catalyst"}},
            },
            ("monitors", "m", "group"),
        ),
        (
            {
                "codes": {"P1ABC": CODE},
                "monitors": {"m": {"code": "P1ABC", "value": "1", "maximum": 2, "fuels": ["diesel"]}},
            },
            ("monitors", "m", "fuels"),
        ),
    ],
)
def test_a_code_or_monitor_of_an_engine_is_an_error_on_an_electric_car(keys: dict[str, Any], place: tuple[str]) -> None:
    with pytest.raises(ConfigurationError) as error:
        Bench(own(**keys), car=vehicle("electric"))
    assert error.value.place[-len(place) :] == place


def test_codes_of_an_electric_drive_are_welcome() -> None:
    car = Bench(own(codes={"P0A0F": CODE, "U0293": CODE}), car=vehicle("electric"))
    assert {"P0A0F", "U0293"} <= set(car.store.troubles)
