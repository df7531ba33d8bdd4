"""Channels, ids and integer storage."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import (
    AUXILIARY,
    BODY,
    CUSTOM,
    ENTRIES,
    FAULT,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    UNAVAILABLE_LOAD,
    VEHICLE,
    AuxiliaryData,
    BodyData,
    ChassisData,
    ClockData,
    DataBus,
    ElectricData,
    Entries,
    Entry,
    FaultData,
    InputData,
    RequestData,
    RoadData,
    SettingsData,
    VehicleData,
    find,
    to_raw,
)
from vehiclesim.auxiliary import mixture
from vehiclesim.databus import Channel, keep
from vehiclesim.entries import SIZES
from vehiclesim.transmission.shifting import AutoShiftOverride, GearMode

REFERENCE = {
    "input": """
        Steer/10000 Throttle/10000 Brake/10000 Handbrake/10000 Clutch/10000 ManualGear AutomaticGear GearShift Retarder
        Key
    """,
    "vehicle": """
        Speed/1000 EngineRpm/1000 EngineStalled EngineWorking EngineStarting EngineLimiter EngineLoad/1000
        EngineTorque/1000 EnginePower/1000 EngineFuelRate/1000 ClutchTorque/1000 ClutchLock/1000 GearboxGear
        GearboxMode GearboxShifting RetarderTorque/1000 TransmissionRpm/1000 AbsEngaged TcsEngaged EscEngaged
        AsrEngaged AidedSteer/10000 FuelConsumption/1000 ThrottleSignal/10000 ClutchSignal/10000
    """,
    "settings": """
        DifferentialLock FrontDifferentialLock RearDifferentialLock DrivelineLock AbsOverride EscOverride TcsOverride
        AsrOverride SteeringAidsOverride AutoShiftOverride MinGearOverride MaxGearOverride
    """,
}
"""The data bus reference: the values of each channel in the order of their ids, with /resolution if it is not 1."""


@pytest.mark.parametrize("channel", [INPUT, VEHICLE, SETTINGS])
def test_a_channel_has_the_values_of_the_reference(channel: int) -> None:
    """In its order and with its resolutions, so that a recorded bus can be read by it; quantities have a unit."""
    name = ("input", "vehicle", "settings")[channel]
    entries = ENTRIES[channel]
    assert [e.name + (f"/{e.resolution}" if e.resolution > 1 else "") for e in entries] == REFERENCE[name].split()
    assert all(bool(entry.unit) == (entry.resolution > 1) for entry in entries)
    assert {entry.channel for entry in entries} == {name}
    assert len(DataBus()[channel]) == len(entries)


IDS = (
    InputData, VehicleData, SettingsData, AuxiliaryData, ChassisData, RequestData, RoadData, FaultData, BodyData,
    ClockData, ElectricData,
)  # fmt: skip


@pytest.mark.parametrize("channel", range(CUSTOM))
def test_every_entry_has_an_id_of_its_name(channel: int) -> None:
    """InputData.MANUAL_GEAR is the place of input.ManualGear."""
    ids = IDS[channel]
    named = {key: value for key, value in vars(ids).items() if key.isupper()}
    by_name = {key.title().replace("_", ""): value for key, value in named.items()}
    assert by_name == {entry.name: index for index, entry in enumerate(ENTRIES[channel])}


def test_a_new_bus_is_at_rest() -> None:
    """Nobody requests anything, a dry and level road at 20 °C, nothing is broken, and all belts are fastened."""
    bus = DataBus()
    assert all(isnan(bus.read(REQUEST, index)) for index in range(len(ENTRIES[REQUEST])))
    assert [bus.read(ROAD, index) for index in range(len(ENTRIES[ROAD]))] == [0.0, 1.0, 0.0, 20.0, 101.325] + [1.0] * 4
    assert bus.read(FAULT, FaultData.MISFIRE) == 0.0
    assert isnan(bus.read(FAULT, FaultData.STUCK_THROTTLE))
    states = {entry.name for index, entry in enumerate(ENTRIES[BODY]) if bus.get(BODY, index)}
    assert states == {"BeltDriver", "BeltPassenger", "BeltRearLeft", "BeltRearCentre", "BeltRearRight", "Dimming"}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("input.Steer", (INPUT, 0)),
        ("vehicle.EngineRpm", (VEHICLE, 1)),
        ("settings.MaxGearOverride", (SETTINGS, 11)),
        ("vehicle.Engine", None),
        ("EngineRpm", None),
    ],
)
def test_an_entry_is_found_by_its_path(path: str, place: tuple[int, int] | None) -> None:
    """channel.Name, both exactly."""
    assert find(path) == place
    assert place is None or ENTRIES[place[0]][place[1]].path == path


@pytest.mark.parametrize(
    ("value", "resolution", "raw"),
    [
        (1200.0, 1000, 1200000),
        (0.9999, 1000, 999),
        (-0.9999, 1000, -999),
        (-0.0004, 1000, 0),
        (float("nan"), 1000, -2147483647),
        (float("inf"), 1000, 2147483647),
        (float("-inf"), 1000, -2147483646),
        (2147483.648, 1000, 2147483647),
        (-2147483.648, 1000, -2147483646),
    ],
)
def test_decimals_are_cut_off_and_the_integer_stays_inside_32_bits(value: float, resolution: int, raw: int) -> None:
    """Toward zero, as a cast does; only not-a-number becomes -2147483647."""
    assert to_raw(value, resolution) == raw


@given(st.floats(-2e5, 2e5))
def test_a_value_is_read_back_to_its_resolution(value: float) -> None:
    """Never larger than it was, and less than a ten-thousandth away."""
    bus = DataBus()
    bus.write(INPUT, InputData.STEER, value)
    got = bus.read(INPUT, InputData.STEER)
    assert abs(got) <= abs(value)
    assert abs(got - value) < 1.0001e-4


def test_not_a_number_passes_through_the_bus() -> None:
    """As -2147483647, except for the load of the engine, where -1 says that it is not available."""
    bus = DataBus()
    bus.write(VEHICLE, VehicleData.CLUTCH_LOCK, float("nan"))
    bus.write(VEHICLE, VehicleData.ENGINE_LOAD, float("nan"))
    assert bus.vehicle[VehicleData.CLUTCH_LOCK] == NAN == -2147483647
    assert bus.vehicle[VehicleData.ENGINE_LOAD] == UNAVAILABLE_LOAD == -1
    assert isnan(bus.read(VEHICLE, VehicleData.CLUTCH_LOCK))
    assert isnan(bus.read(VEHICLE, VehicleData.ENGINE_LOAD))


def test_minus_one_is_a_number_everywhere_else() -> None:
    """A torque of -0.001 Nm."""
    bus = DataBus()
    bus.set(VEHICLE, VehicleData.ENGINE_TORQUE, -1)
    assert bus.read(VEHICLE, VehicleData.ENGINE_TORQUE) == -0.001


def test_there_is_one_list_per_channel() -> None:
    """By attribute, by index and by method: what one writes, the others read; it starts at 0 and knows no range."""
    bus = DataBus()
    assert set(bus.input + bus.vehicle + bus.settings) == {0}
    assert (bus[INPUT], bus[VEHICLE], bus[SETTINGS]) == (bus.input, bus.vehicle, bus.settings)
    bus[VEHICLE][VehicleData.SPEED] = 14500
    assert bus.get(VEHICLE, VehicleData.SPEED) == bus.vehicle[VehicleData.SPEED] == 14500
    bus.set(INPUT, InputData.THROTTLE, 10**6)
    assert bus.input[InputData.THROTTLE] == 10**6


@pytest.mark.parametrize("entry", [entry for entries in ENTRIES for entry in entries], ids=lambda entry: entry.path)
def test_every_entry_has_a_meaning_and_a_writer(entry: Entry) -> None:
    """A plain sentence on one line; what has codes is a whole number and rests at one of them."""
    assert entry.meaning[0].isupper()
    assert entry.meaning.endswith(".")
    assert len(entry.meaning) <= 100
    assert "\n" not in entry.meaning
    assert entry.writer
    codes = [code for code, _ in entry.codes]
    assert codes == sorted(set(codes))
    if codes:
        assert (entry.resolution, entry.unit) == (1, "")
        assert entry.rest in codes


def test_the_codes_are_those_that_the_model_counts() -> None:
    """Selector, mode of the gearbox, override of the automatic shift, lambda control."""
    modes = {code: name for name, code in vars(GearMode).items() if name.isupper()}
    for channel, index in [(INPUT, InputData.AUTOMATIC_GEAR), (VEHICLE, VehicleData.GEARBOX_MODE)]:
        letters = {code: modes[code][0] for code in modes if code <= GearMode.DRIVE}
        codes = dict(ENTRIES[channel][index].codes)
        assert {code: codes[code] for code in letters} == letters
        assert (codes[GearMode.DRIVE_1], codes[GearMode.DRIVE_5]) == ("D1", "D5")
    shifting = dict(ENTRIES[SETTINGS][SettingsData.AUTO_SHIFT_OVERRIDE].codes)
    assert shifting[AutoShiftOverride.FORCED] == "automatic"
    assert shifting[AutoShiftOverride.BY_HAND] == "by hand"
    fuel_system = dict(ENTRIES[AUXILIARY][AuxiliaryData.FUEL_SYSTEM].codes)
    assert fuel_system[mixture.CLOSED] == "closed loop"
    assert set(fuel_system) == {mixture.OFF, mixture.OPEN_COLD, mixture.CLOSED, mixture.OPEN_DRIVING}


def own(name: str, resolution: int = 1000, limits: tuple[float, float] | None = (0.0, 100.0), rest: int = 0) -> Entry:
    return Entry("custom", name, resolution, "", "", "", (), rest, limits)


def test_a_bus_has_the_entries_that_are_declared_on_it() -> None:
    """With their defaults, in their units; the standard ones are found beside them."""
    bus = DataBus()
    bus.declare(Entries((own("Oil", rest=80_000), own("Share", 10_000))))
    assert [bus.entries.find(path) for path in ("custom.Oil", "custom.Share", "vehicle.Speed", "custom.X")] == [
        (CUSTOM, 0),
        (CUSTOM, 1),
        (VEHICLE, 0),
        None,
    ]
    bus.write(CUSTOM, 1, 0.25)
    assert (bus.read(CUSTOM, 0), bus.custom[1]) == (80.0, 2500)
    assert len(bus.custom) == SIZES[CUSTOM]
    assert DataBus().entries.custom == ()


def test_an_entry_that_is_declared_again_keeps_its_value_where_it_can() -> None:
    """At another place, in another resolution, limited to the new range; what is new or not available has its rest."""
    bus = DataBus()
    bus.declare(Entries((own("A"), own("B"), own("Gone", rest=5), own("None"))))
    bus.write(CUSTOM, 0, 40.0)
    bus.write(CUSTOM, 1, 90.0)
    bus.custom[3] = NAN
    bus.declare(Entries((own("New", rest=7), own("B", limits=(0.0, 50.0)), own("A", 10), own("None", rest=3))))
    assert bus.custom[:5] == [7, 50_000, 400, 3, 0]


@given(st.integers(-(2**60), 2**60))
def test_what_was_read_is_restored_whatever_its_size(raw: int) -> None:
    """An odometer counts metres, and a fleet's has more than 32 bits of them; a binary64 holds 53."""
    bus, again = DataBus(), DataBus()
    bus.auxiliary[AuxiliaryData.ODOMETER] = raw
    again.restore(AUXILIARY, AuxiliaryData.ODOMETER, bus.read(AUXILIARY, AuxiliaryData.ODOMETER))
    assert again.auxiliary[AuxiliaryData.ODOMETER] == pytest.approx(raw, rel=2.0**-50)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e300])
def test_what_no_bus_holds_is_restored_as_not_available(value: float) -> None:
    bus = DataBus()
    bus.restore(AUXILIARY, AuxiliaryData.ODOMETER, value)
    assert isnan(bus.read(AUXILIARY, AuxiliaryData.ODOMETER))


def test_a_value_that_stays_keeps_its_integer() -> None:
    """A step would mostly make another one of the same value; what others have put there is replaced."""
    bus = DataBus()
    channel = Channel(bus.vehicle, VEHICLE)
    channel.write(VehicleData.ENGINE_RPM, 1234.5678)
    stored = bus.vehicle[VehicleData.ENGINE_RPM]
    assert stored == 1234567
    channel.write(VehicleData.ENGINE_RPM, 1234.5671)
    keep(bus.vehicle, VehicleData.ENGINE_RPM, int("1234567"))
    assert bus.vehicle[VehicleData.ENGINE_RPM] is stored
    bus.vehicle[VehicleData.ENGINE_RPM] = 5
    channel.write(VehicleData.ENGINE_RPM, 1234.5678)
    assert bus.vehicle[VehicleData.ENGINE_RPM] == 1234567
    keep(bus.vehicle, VehicleData.ENGINE_RPM, 7)
    assert bus.vehicle[VehicleData.ENGINE_RPM] == 7
