"""Each monitor of the shipped file fails on its fault, passes without it, and heals."""

from dataclasses import replace

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.dtc.codes import codes_of
from hilbridge.bench.diagnostics.dtc.monitors import VehicleFigures, build_monitors, figures_of
from hilbridge.files.settings.dtc import CodeSettings, MonitorSettings
from vehiclesim import EngineSettings, VehicleSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, AuxiliarySettings

from ..control_units import CODES, DIESEL, ENGINE, PETROL, TRANSMISSION, Bench, shipped_codes

HEALTHY = {
    "vehicle_EngineLoad": 300,
    "vehicle_EngineRpm": 2_500_000,
    "vehicle_Speed": 20_000,
    "auxiliary_RunTime": 1_000_000,
    "auxiliary_CoolantTemperature": 90_000,
    "auxiliary_TransmissionTemperature": 80_000,
    "auxiliary_CatalystTemperature": 600_000,
    "auxiliary_BatteryVoltage": 14_000,
    "auxiliary_ChargingVoltage": 14_200,
    "auxiliary_FuelShare": 5_000,
    "auxiliary_FuelSystem": 2,
    "auxiliary_Lambda": 10_020,
    "auxiliary_RearOxygenVoltage": 650,
    "auxiliary_IntakePressure": 40_000,
    "auxiliary_IntakeTemperature": 30_000,
    "auxiliary_AirMassFlow": 26_500,  # 3.97 l/2 · 2500/60/s · (40 - 12) kPa/(0.287 kJ/(kg K) · 303 K)
    "auxiliary_OilTemperature": 85_000,
    "auxiliary_OilPressure": 300_000,
    "auxiliary_KnockRetard": 0,
    "chassis_WheelSpeedFrontLeft": 20_000,
    "chassis_WheelSpeedRearLeft": 20_000,
}

#  code     fault on the bus                                    seconds that it takes
FAULTS = [
    ("P0300", {"fault_Misfire": 500}, 5),
    ("P0171", {"auxiliary_LongFuelTrim": 1500, "auxiliary_ShortFuelTrim": 800}, 10),
    ("P0172", {"auxiliary_LongFuelTrim": -1500, "auxiliary_ShortFuelTrim": -800}, 10),
    ("P0133", {"auxiliary_Lambda": 15_000}, 30),
    ("P0420", {"auxiliary_CatalystTemperature": 150_000}, 120),
    ("P0128", {"auxiliary_CoolantTemperature": 55_000}, 600),
    ("P0217", {"auxiliary_CoolantTemperature": 125_000}, 3),
    ("P0560", {"auxiliary_BatteryVoltage": 6_500, "auxiliary_RunTime": 0}, 0.2),
    ("P0562", {"auxiliary_BatteryVoltage": 12_600}, 10),
    ("P0562", {"auxiliary_ChargeIndicator": 1}, 10),
    ("P0563", {"auxiliary_BatteryVoltage": 17_000}, 10),
    ("P0219", {"vehicle_EngineRpm": 6_400_000, "auxiliary_AirMassFlow": 67_800}, 0.2),
    ("P1219", {"vehicle_EngineRpm": 5_950_000, "auxiliary_AirMassFlow": 63_000}, 10),
    ("P2111", {"vehicle_ThrottleSignal": 4_000, "input_Throttle": 500}, 1),
    ("P2112", {"vehicle_ThrottleSignal": 500, "input_Throttle": 8_000}, 1),
    ("P1460", {"auxiliary_FuelShare": 400}, 30),
    ("P0117", {"auxiliary_CoolantTemperature": 150_000}, 1),
    ("P0118", {"auxiliary_CoolantTemperature": -50_000}, 1),
    ("P0112", {"auxiliary_IntakeTemperature": 150_000}, 1),
    ("P0113", {"auxiliary_IntakeTemperature": -50_000}, 1),
    ("P0107", {"auxiliary_IntakePressure": -18_000}, 1),
    ("P0108", {"auxiliary_IntakePressure": 370_000}, 1),
    ("P0102", {"auxiliary_AirMassFlow": 0}, 1),
    ("P0103", {"auxiliary_AirMassFlow": 655_350}, 1),
    ("P0101", {"auxiliary_AirMassFlow": 16_000}, 4),
    ("P0122", {"auxiliary_ThrottlePosition": -1_250}, 1),
    ("P0123", {"auxiliary_ThrottlePosition": 11_250}, 1),
    ("P0121", {"auxiliary_ThrottlePosition": 1_500}, 2),
    ("P0522", {"auxiliary_OilPressure": -125_000}, 1),
    ("P0523", {"auxiliary_OilPressure": 1_125_000}, 1),
    ("P0524", {"auxiliary_OilPressure": 10_000}, 3),
    ("P0116", {"auxiliary_OilTemperature": 20_000}, 10),
    ("P0545", {"auxiliary_ExhaustTemperature": -60_000}, 1),
    ("P0546", {"auxiliary_ExhaustTemperature": 1_200_000}, 1),
    ("P0427", {"auxiliary_CatalystTemperature": -60_000}, 1),
    ("P0428", {"auxiliary_CatalystTemperature": 1_200_000}, 1),
    ("P0462", {"auxiliary_FuelShare": -1_000}, 1),
    ("P0463", {"auxiliary_FuelShare": 11_000}, 1),
    ("P0131", {"auxiliary_Lambda": 19_999}, 5),
    ("P0132", {"auxiliary_Lambda": 5_000}, 5),
    ("P0134", {"auxiliary_Lambda": 10_000}, 5),
    ("P0137", {"auxiliary_RearOxygenVoltage": 0}, 5),
    ("P0138", {"auxiliary_RearOxygenVoltage": 1_200}, 5),
    ("P0140", {"auxiliary_RearOxygenVoltage": 450}, 20),
    ("P0335", {"vehicle_EngineRpm": 0}, 0.5),
    ("P0500", {"vehicle_Speed": 0}, 2),
    ("P0501", {"vehicle_Speed": 10_000}, 5),
    ("P0324", {"auxiliary_KnockRetard": 10_000}, 5),
]


def healthy(car: VehicleSettings = PETROL) -> Bench:
    bench = Bench(ENGINE, TRANSMISSION, car=car)
    bench.set(input_Key=0, auxiliary_FuelShare=5_000)
    bench.wait(0.5)  # the key is seen, and the manifold before the start
    bench.start()
    bench.set(**HEALTHY)
    return bench


def test_a_healthy_car_completes_all_tests_and_has_no_code() -> None:
    bench = healthy()
    bench.wait(60)
    store = bench.store
    assert store.readiness.incomplete() == frozenset()
    assert not any(
        trouble.status for trouble in store.troubles.values() if trouble.code.monitor in store.readiness.monitors
    )


@pytest.mark.parametrize(("code", "fault", "seconds"), FAULTS)
def test_a_fault_is_found_after_its_time_with_a_freeze_frame(code: str, fault: dict[str, int], seconds: float) -> None:
    """Not before; and no other code with it."""
    bench = healthy()
    store = bench.store
    bench.set(**fault)
    bench.wait(seconds - 0.1)
    assert not store.trouble(code).failing
    bench.wait(0.1)
    assert store.trouble(code).failing
    assert store.trouble(code).pending
    frame = store.trouble(code).frame
    assert frame is not None
    assert 0x0C in frame.values
    assert [name for name, trouble in store.troubles.items() if trouble.failing] == [code]


@pytest.mark.parametrize(("code", "fault", "seconds"), FAULTS)
def test_it_lights_the_indicator_if_it_concerns_emissions_and_heals(
    code: str, fault: dict[str, int], seconds: float
) -> None:
    """In the second driving cycle at the latest; three driving cycles without the fault put it out."""
    bench = healthy()
    store = bench.store
    bench.set(**fault)
    for _ in range(2):
        bench.start()
        bench.set(vehicle_EngineRpm=fault.get("vehicle_EngineRpm", 2_500_000))
        bench.wait(max(12, seconds + 1))
        bench.stop()
        bench.wait(0.2)
    assert store.trouble(code).confirmed
    assert store.indicator == store.trouble(code).code.emission
    bench.set(**{name: HEALTHY.get(name, 0) for name in fault})
    for _ in range(3):
        bench.start()
        bench.set(vehicle_EngineRpm=2_500_000)
        bench.wait(25)
        bench.stop()
        bench.wait(0.2)
    assert not store.trouble(code).failing
    assert not store.indicator


def test_the_transmission_has_its_own() -> None:
    bench = healthy()
    bench.set(auxiliary_TransmissionTemperature=145_000)
    bench.wait(5)
    assert [code.j2012 for code in bench.ecus[1].store.confirmed()] == ["P0218"]
    assert bench.store.pending() == []


@pytest.mark.parametrize(("observer", "code"), [("Throttle.tracks", "P2135"), ("Throttle.lost", "P2122")])
def test_what_the_inputs_know_is_observed(observer: str, code: str) -> None:
    state = {"fault": 0}
    bench = Bench(observers={observer: lambda: state["fault"]})
    bench.start()
    bench.wait(2)
    assert bench.store.pending() == []
    state["fault"] = 1
    bench.wait(1)
    assert [one.j2012 for one in bench.store.confirmed()] == [code]


def test_without_the_input_there_is_no_monitor() -> None:
    """And its code stays "not tested"."""
    bench = healthy()
    bench.wait(10)
    assert bench.store.trouble("P2135").status == 0x50


def test_a_diesel_is_not_watched_for_lambda_1() -> None:
    bench = healthy(DIESEL)
    bench.set(auxiliary_Lambda=30_000, auxiliary_LongFuelTrim=2_500)
    bench.wait(60)
    assert bench.store.pending() == []
    assert bench.store.readiness.supported == {"misfire", "components", "catalyst"}


def test_a_test_that_means_nothing_now_waits_and_goes_on() -> None:
    """Misfire is not watched while the engine stands: 3 s and 2 s with a stop between are 5 s."""
    bench = healthy()
    bench.set(fault_Misfire=500)
    bench.wait(3)
    bench.set(vehicle_EngineWorking=0)
    bench.wait(100)
    bench.set(vehicle_EngineWorking=1)
    bench.wait(1.9)
    assert not bench.store.trouble("P0300").failing
    bench.wait(0.1)
    assert bench.store.trouble("P0300").failing


def test_key_on_and_clearing_begin_a_test_anew() -> None:
    for again in ("key", "clear"):
        bench = healthy()
        bench.set(fault_Misfire=500)
        bench.wait(4)
        if again == "key":
            bench.set(input_Key=-1)
            bench.wait(0.2)
            bench.set(input_Key=0)
        else:
            bench.ask("04")
        bench.wait(4)
        assert not bench.store.trouble("P0300").failing, again
        bench.wait(1.5)
        assert bench.store.trouble("P0300").failing, again


def test_a_fault_that_stays_comes_back_after_clearing() -> None:
    bench = healthy()
    bench.set(auxiliary_CoolantTemperature=125_000)
    bench.wait(5)
    bench.ask("04")
    assert bench.ask("03") == "43 00"
    bench.wait(5)
    assert bench.ask("03") == "43 01 02 17"


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("value", "vehicle.EngineRmp", "EngineRpm"),
        ("value", "vehicle.EngineRpm / {limit}", "limit"),
        ("when", "vehicle.EngineRpm >", "column"),
    ],
)
def test_an_expression_that_is_none_is_told_with_its_place(key: str, text: str, reason: str) -> None:
    monitor = MonitorSettings(code="P0300", value="1", maximum=2).model_copy(update={key: text})
    codes = codes_of({"P0300": CodeSettings(text="misfire")}, {"one": monitor})
    with pytest.raises(ConfigurationError, match=reason) as error:
        build_monitors({"one": monitor}, codes, VehicleFigures(1000, 6000, 12), {}, ("units", "engine"))
    assert error.value.place == ("units", "engine", "monitors", "one", key)


def test_every_shipped_monitor_runs_somewhere() -> None:
    observers = dict.fromkeys(("Throttle.tracks", "Throttle.lost", "Brake.lost", "Clutch.lost"), float)
    built = {
        name
        for ecu in ("engine", "transmission")
        for fuel in ("petrol", "diesel")
        for name in build_monitors(CODES.monitors, shipped_codes(ecu), VehicleFigures(1000, 6000, 12, fuel), observers)
    }
    assert built == set(CODES.monitors)


def test_figures_are_those_of_the_vehicle() -> None:
    """The limiter's speed where there is one, else where the torque ends."""
    assert figures_of(PETROL)[:4] == (1000.0, 6000.0, 12.0, "petrol")
    assert figures_of(replace(DIESEL, engine=EngineSettings(max_rpm=4800.0)))[:4] == (1000.0, 4800.0, 12.0, "diesel")
    air = AirPathSettings(displacement=2.0, volumetric_efficiency=0.9)
    assert figures_of(VehicleSettings(auxiliary=AuxiliarySettings(air_path=air))).breathing == 1.8


def test_the_model_s_car_is_healthy_and_its_faults_are_found() -> None:
    """Idling and driving for a minute; then misfire, then a throttle that is stuck open."""
    bench = Bench()
    vehicle = bench.vehicle
    store = bench.store

    def drive(seconds: int, **entries: int) -> None:
        for _ in range(seconds):
            bench.set(**entries)
            for _ in range(100):
                vehicle.step(0.01)
            bench.wait(1)

    drive(2, input_Key=1, input_Clutch=10_000)
    drive(30, input_Key=0)
    drive(5, input_Clutch=0, input_ManualGear=1, input_Throttle=3000)
    drive(25, input_ManualGear=2, input_Throttle=2000)
    assert [name for name, trouble in store.troubles.items() if trouble.pending] == []
    drive(10, fault_Misfire=1000)
    assert [name for name, trouble in store.troubles.items() if trouble.failing] == ["P0300"]
    drive(15, fault_Misfire=0, fault_StuckThrottle=6000)
    assert [name for name, trouble in store.troubles.items() if trouble.failing] == ["P2111"]
    assert store.indicator
