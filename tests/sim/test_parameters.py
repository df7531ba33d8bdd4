"""Parameter sets: units, bounds, defaults, and what is refused."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, get_args

import pytest

from vehiclesim import (
    AccessorySettings,
    AidsSettings,
    AuxiliarySettings,
    AxleDifferentialSettings,
    AxleEnd,
    BodySettings,
    BrakeSettings,
    ChassisSettings,
    ClutchSettings,
    ColdSettings,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    GearboxSettings,
    PublishedSettings,
    Quantity,
    RetarderSettings,
    ShiftingSettings,
    ShiftLineSettings,
    SplitterSettings,
    SteeringSettings,
    TyreSettings,
    VehicleSettings,
    WheelSettings,
    quantities,
)

PARTS = (
    EngineSettings,
    ClutchSettings,
    GearboxSettings,
    ShiftingSettings,
    RetarderSettings,
    DrivelineSettings,
    WheelSettings,
    TyreSettings,
    BrakeSettings,
    SteeringSettings,
    ChassisSettings,
    BodySettings,
)
DRIVELINE = (DifferentialSettings, AxleDifferentialSettings, SplitterSettings)
NUMBERS = [
    (part, entry.name, quantity)
    for part in (*PARTS, *DRIVELINE)
    for entry, _, quantity in quantities(part)
    if isinstance(quantity, Quantity)
]
BOUNDED = [
    (part, name, step(bound))
    for part, name, quantity in NUMBERS
    for bound, step in (
        (quantity.minimum, lambda bound: bound - 0.5),
        (quantity.maximum, lambda bound: bound + 0.5),
        (quantity.above, float),
        (quantity.below, float),
    )
    if bound is not None
]


def wrapped(part: type[Any], name: str, value: float) -> Any:
    """The value as the field takes it: a tuple where the default is one."""
    return (value,) if isinstance(getattr(part(), name), tuple) else value


@pytest.mark.parametrize("part", [*PARTS, VehicleSettings])
def test_every_set_has_defaults(part: type[Any]) -> None:
    """All of them together are a vehicle, and sets with equal values are equal."""
    assert part() == part()


@pytest.mark.parametrize("part", [*PARTS, *DRIVELINE])
def test_every_parameter_is_described(part: type[Any]) -> None:
    """Numbers by unit, text and bounds; switches, choices and lists of sets by a text."""
    for entry, kind, quantity in quantities(part):
        if part is DrivelineSettings and is_dataclass(kind):
            continue  # a set of its own
        if kind == tuple[ShiftLineSettings, ...]:
            assert quantity
            continue  # a list of such sets
        assert quantity is not None, entry.name
        is_number = kind in {int, float, float | None} or kind in {tuple[float, ...], tuple[int, ...]}
        assert isinstance(quantity, Quantity) is is_number, entry.name
        text = quantity.text if isinstance(quantity, Quantity) else quantity
        assert text
        if not is_number and kind is not bool:
            (*_, last) = (item for item in (kind, *get_args(kind)) if item is not Ellipsis)
            assert is_dataclass(last) or issubclass(last, Enum), entry.name


@pytest.mark.parametrize(("part", "name", "value"), BOUNDED)
def test_a_value_out_of_bounds_is_refused_by_name(part: type[Any], name: str, value: float) -> None:
    """The message starts with the parameter and says the value."""
    with pytest.raises(ValueError, match=rf"{name}: {value} is (not )?(less|greater)"):
        part(**{name: wrapped(part, name, value)})


@pytest.mark.parametrize(("part", "name"), [(part, name) for part, name, _ in NUMBERS])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_refused(part: type[Any], name: str, value: float) -> None:
    """Also where nothing else bounds it."""
    with pytest.raises(ValueError, match=rf"{name}: .* is not a finite number"):
        part(**{name: wrapped(part, name, value)})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ratios": ()}, "ratios: at least one forward gear"),
        ({"ratios": (3.0, 3.0)}, "ratios: 3.0 after 3.0"),
        ({"ratios": (3.0, 2.0, 2.5)}, "ratios: 2.5 after 2.0"),
        ({"reverse_ratios": (-2.0, -3.0)}, "reverse_ratios: -3.0 after -2.0"),
    ],
)
def test_gears_follow_each_other_from_short_to_long(settings: dict[str, Any], message: str) -> None:
    """Forward and reverse alike; at least one goes forward."""
    with pytest.raises(ValueError, match=message):
        GearboxSettings(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"minimum_speeds": ()}, "minimum_speeds: at least one"),
        ({"minimum_speeds": (8.0, 5.0)}, "minimum_speeds: 5.0 after 8.0"),
        ({"up_rpm": 2000.0, "down_rpm": 2000.0}, "down_rpm: 2000.0 is not below up_rpm 2000.0"),
    ],
)
def test_shift_speeds_belong_together(settings: dict[str, Any], message: str) -> None:
    """Down below up, and no gear from a lower speed on than a shorter one."""
    with pytest.raises(ValueError, match=message):
        ShiftingSettings(**settings)


@pytest.mark.parametrize("limit", [600.0, 1000.0])
def test_a_limiter_below_idle_is_refused(limit: float) -> None:
    """Such an engine could not idle. One that is switched off may have any value."""
    with pytest.raises(ValueError, match=f"rpm_limiter_max: {limit} is not above idle_rpm 1000.0"):
        EngineSettings(rpm_limiter=True, rpm_limiter_max=limit)
    assert EngineSettings(rpm_limiter_max=limit).rpm_limiter_max == limit


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        ({"efficiency_rpm": (1000.0,)}, "indicated_efficiency: 0 values for 1 of efficiency_rpm"),
        ({"efficiency_rpm": (2000.0, 1000.0), "indicated_efficiency": (0.3, 0.4)}, "efficiency_rpm: 1000.0 after"),
    ],
)
def test_a_curve_of_efficiency_has_one_at_each_speed(curve: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EngineSettings(**curve)


def test_a_retarder_has_a_range_of_speeds() -> None:
    """It begins below where it reaches its full torque."""
    with pytest.raises(ValueError, match=r"max_rpm: 100.0 is not above min_rpm 100.0"):
        RetarderSettings(max_rpm=100.0)


def test_a_box_may_have_no_reverse_gear() -> None:
    """A motorcycle has none."""
    assert GearboxSettings(reverse_ratios=()).reverse_ratios == ()


def test_a_wheel_that_is_too_light_for_its_vehicle_is_refused() -> None:
    """A hundred thousandth of the mass at the rim is the least: 0.012 kg m² for 13 t on wheels of 0.3 m."""
    wheels = WheelSettings(radius=0.3, inertia=0.0118)
    VehicleSettings(wheels=wheels, body=BodySettings(mass=13_000.0))
    with pytest.raises(ValueError, match=r"wheels: an inertia of 0.0118 kg m² is too little under 13200 kg.* 0.012 or"):
        VehicleSettings(wheels=wheels, body=BodySettings(mass=13_200.0))


def test_a_vehicle_consists_of_the_sets_of_its_parts() -> None:
    """And of a name, aids, auxiliaries, equipment, what was published, and lists of parts of one's own."""
    parts = [type(getattr(VehicleSettings(), entry.name)) for entry in fields(VehicleSettings)]
    others = [
        AidsSettings,
        AuxiliarySettings,
        AccessorySettings,
        ColdSettings,
        PublishedSettings,
        tuple,
        tuple,
        tuple,
    ]
    parts.remove(type(None))  # the rear tyre, which is as the front one
    assert [one for one in parts if not hasattr(one, "equipment") or one in PARTS] == [str, *PARTS, *others]
    assert all(is_dataclass(part) for part in PARTS)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"longitudinal_slip": (-0.1, 0.0, 0.1)}, "longitudinal_friction: 5 coefficients for 3 slip ratios"),
        ({"lateral_friction": (-0.8, 0.0, 0.8)}, "lateral_friction: 3 coefficients for 5 slip ratios"),
        ({"lateral_slip": (-0.3, -0.1, 0.0, 0.3, 0.1)}, "lateral_slip: 0.1 after 0.3"),
        ({"longitudinal_slip": (-0.3, -0.005, 0.0, 0.1, 0.3)}, "longitudinal_slip: 0.0 after -0.005"),
        ({"longitudinal_slip": (-0.3, -0.1, 0.02, 0.1, 0.3)}, "longitudinal_slip: the table needs 0"),
        ({"longitudinal_slip": (-0.4, -0.3, -0.2, -0.1, 0.0)}, "longitudinal_slip: the table needs 0 and slips on"),
        ({"lateral_slip": (0.0, 0.1, 0.2, 0.3, 0.4)}, "lateral_slip: the table needs 0 and slips on both sides"),
        ({"lateral_friction": (-0.7, 0.8, 0.0, 0.8, 0.7)}, "lateral_friction: 0.8 at slip -0.1"),
        ({"longitudinal_friction": (-0.7, -0.8, 0.1, 0.8, 0.7)}, "longitudinal_friction: 0.1 at slip 0.0"),
        ({"longitudinal_friction": (-0.7, -0.8, 0.0, 0.8, 0.0)}, "longitudinal_friction: 0.0 at slip 0.3"),
    ],
)
def test_a_friction_table_ascends_through_zero(table: dict[str, Any], message: str) -> None:
    """Slips at least 0.01 apart on both sides of 0, and a coefficient of the same sign at each of them."""
    with pytest.raises(ValueError, match=message):
        TyreSettings(**table)


@pytest.mark.parametrize(
    "geometry",
    [
        {"centre_of_gravity_height": 1.4},
        {"centre_of_gravity_height": 1.0, "rear_track": 0.9},
        {"centre_of_gravity_height": 1.0, "front_track": 0.9},
    ],
)
def test_a_vehicle_that_would_turn_over_is_refused(geometry: dict[str, float]) -> None:
    """Its centre of gravity is higher than half the wheelbase or one of its tracks."""
    with pytest.raises(ValueError, match=r"centre_of_gravity_height: 1.* would turn over"):
        ChassisSettings(**geometry)


@pytest.mark.parametrize(
    ("layout", "ratio"),
    [
        (DrivelineLayout.FRONT, 4.0),
        (DrivelineLayout.REAR, 3.0),
        (DrivelineLayout.CENTRE_DIFFERENTIAL, 1.5 * 3.5),
        (DrivelineLayout.TORQUE_SPLITTER, 1.2 * 3.0),
        (DrivelineLayout.H_DRIVE, 5.0),
    ],
)
def test_the_total_ratio_is_that_between_gearbox_and_wheels(layout: DrivelineLayout, ratio: float) -> None:
    """Ratios in a row multiply; a centre differential turns with the mean of its axles, a splitter with the primary."""
    settings = DrivelineSettings(
        layout=layout,
        front=AxleDifferentialSettings(ratio=4.0),
        rear=AxleDifferentialSettings(ratio=3.0),
        centre=DifferentialSettings(ratio=1.5),
        splitter=SplitterSettings(primary=AxleEnd.REAR, ratio=1.2),
        sides=AxleDifferentialSettings(ratio=5.0),
    )
    assert settings.total_ratio == pytest.approx(ratio, rel=1e-12)


def test_a_differential_at_an_axle_has_a_final_drive() -> None:
    """A file that names only the type of a differential keeps the final drive; a centre differential has none."""
    assert AxleDifferentialSettings(type=DifferentialType.TORQUE_BIAS).ratio == DrivelineSettings().front.ratio == 3.7
    assert DrivelineSettings().centre.ratio == 1.0


def test_the_types_of_a_class_are_looked_up_once() -> None:
    """They never change, and each vehicle that is read asks for those of all its sections."""
    assert quantities(EngineSettings) is quantities(EngineSettings)
    assert quantities(EngineSettings) is not quantities(GearboxSettings)
