"""The names of doors, belts, lights, levers and cruise control in databases, and the words of their states."""

from typing import Final

from hilbridge.desk.draft.quantity import Quantity

_OPEN: Final = "open|opened|ajar|offen|geoeffnet|ouverte?"
_SHUT: Final = "closed|shut|geschlossen|zu|not_open|fermee?"
_FASTENED: Final = "latched|belted|fastened|buckled|gesteckt|closed|locked"
_LOOSE: Final = "un(?:latched|belted|fastened|buckled)|not_(?:latched|fastened|buckled)|nicht_gesteckt|open|warn\\w*"
_STATUS: Final = "status stat state sta st"

_FRONT_ONLY: Final = "(?<!_rear_)"
"""A lookbehind: the driver and the passenger beside have front doors and belts, others are named after them."""

_SEAT_BELT: Final = "(?:seat_?belt|belt|buckle|gurt(?:schloss|schalter)?)"
_SWITCH: Final = "(?:_(?:sw|switch|stat|status|state|kontakt))?"


def _door(place: str, *, at_wheel: str, short: str, more: str = "") -> str:
    """Return the names of a door: `place` as text, `at_wheel` seen from the driver, `short` in German."""
    words = f"(?:door|tuer)_(?:open_)?(?:{place})|(?:{place})_(?:door|tuer)(?:_open|_ajar)?"
    brief = f"(?:{place}|{at_wheel})_dr_(?:sw|open|ajar)|dr_stat_(?:{place}|{at_wheel})"
    german = f"(?:zv|bsk|tuer)_(?:{short})_(?:offen|geoeffnet)|(?:{short})_tuer_?(?:offen|geoeffnet|kont\\w*)"
    seen = f"{_FRONT_ONLY}(?:{at_wheel})_(?:door|tuer)(?:_open|_ajar)?{_SWITCH}|door_(?:{at_wheel})"
    return "|".join(filter(None, (words, brief, german, seen, more)))


def _shut(place: str, at_wheel: str) -> str:
    """Return the names of a switch that is on while a door is closed."""
    return f"(?:{place}|{_FRONT_ONLY}(?:{at_wheel}))_door_closed|door_closed_(?:{place})"


def _place(end: str, side: str, *, more: str) -> str:
    ends = "f|front|fr" if end == "front" else "r|rear|re"
    return f"{end[0]}{side[0]}|{side[0]}{end[0]}|(?:{ends})_?(?:{side[0]}|{side})|{side}_{end}|{more}"


_FRONT_LEFT: Final = _place("front", "left", more="driver_front")
_FRONT_RIGHT: Final = _place("front", "right", more="passenger_front")
_REAR_LEFT: Final = _place("rear", "left", more="bl|back_left")
_REAR_RIGHT: Final = _place("rear", "right", more="br|back_right")
_DRIVER: Final = "drivers?(?:_side)?|drv|fahrer|fa"
_PASSENGER: Final = "pass(?:enger)?s?(?:_side)?|psngr|ast|beifahrer"

_DOORS: Final = "doors?(?:_\\w+)?"
"""Messages in which `FL` is a door."""

_TITLES: Final = {"Left": ("links|li|lh|left", "left"), "Right": ("rechts|re|rh|right", "right")}


def _turn(side: str) -> Quantity:
    """Return the turn signals of a side."""
    names, word = _TITLES[side]
    blink = "(?:blink(?:er)?s?|turn_?(?:sig(?:nal)?|light|lamp|ind(?:icator)?)s?|indicator|winker|comfort_signal)"
    words = f"{blink}_(?:{names})|(?:{names})_{blink}(?:_(?:on|blinking|active))?|turn_(?:{names})"
    return Quantity(
        f"turn signals, {word}",
        f"body.{side}Turn",
        None,
        words,
        on="blinking_on|on|active|ein|lit",
        despite=_STATUS,
    )


BODY: Final = (
    _turn("Left"),
    _turn("Right"),
    Quantity(
        "lever of the turn signals", "body.TurnSignal", None,
        "turn_?(?:signals?|lght|light)(?:_?(?:sw(?:tch)?|switch|lever|d))?(?:_stat)?|blinker_?hebel",
        states=(
            ("body.TurnSignal == 'left'", ("left|li|links",)),
            ("body.TurnSignal == 'right'", ("right|re|rechts",)),
        ),
        codes=(("body.TurnSignal == 'left'", 1), ("body.TurnSignal == 'right'", 2)),
        codes_of="turn signals mostly are (SAE J1939, SPN 2876: 1 left, 2 right)", despite=_STATUS,
    ),
    Quantity(
        "door of the driver", "body.DoorFrontLeft", None,
        _door(_FRONT_LEFT, at_wheel=_DRIVER, short="ft|fa|vl", more="dr_door_open_sw"),
        opposite=_shut(_FRONT_LEFT, _DRIVER),
        within=_DOORS, short="fl|lf", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "door of the front passenger", "body.DoorFrontRight", None,
        _door(_FRONT_RIGHT, at_wheel=_PASSENGER, short="bt|bf|vr", more="ps_door_open_sw"),
        opposite=_shut(_FRONT_RIGHT, _PASSENGER),
        within=_DOORS, short="fr|rf", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "door, rear left", "body.DoorRearLeft", None,
        _door(_REAR_LEFT, at_wheel="rear_driver", short="hl|hfs"), opposite=_shut(_REAR_LEFT, "rear_driver"),
        within=_DOORS, short="rl|lr|bl", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "door, rear right", "body.DoorRearRight", None,
        _door(_REAR_RIGHT, at_wheel="rear_passenger", short="hr|hbfs"), opposite=_shut(_REAR_RIGHT, "rear_passenger"),
        within=_DOORS, short="rr|br", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "any door", "body.DoorFrontLeft or body.DoorFrontRight or body.DoorRearLeft or body.DoorRearRight", None,
        "any_door(?:_open)?|(?<!_dr_)(?<!_ps_)doors?_open(?=_$)|door_ajar", on=_OPEN, off=_SHUT,
    ),
    Quantity(
        "boot", "body.Boot", None,
        "(?:trunk|boot|tailgate|liftgate|hatch|decklid)(?:_lid)?_(?:open|ajar|status)|door_open_(?:trunk|hatch|tailgate)|"
        "(?:zv|bsk)_hd_\\w+|heckklappe_\\w+",
        within=_DOORS, short="trunk|tailgate|liftgate|hatch", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "bonnet", "body.Bonnet", None, "(?:hood|bonnet|motorhaube|haube)_(?:open|ajar|status|offen)",
        within=_DOORS, short="hood|bonnet", on=_OPEN, off=_SHUT, despite=_STATUS,
    ),
    Quantity(
        "belt of the driver", "body.BeltDriver", None,
        f"{_SEAT_BELT}_(?:{_DRIVER})(?:_(?:latched|fastened|buckled))?|first_row_buckle_driver|"
        f"{_FRONT_ONLY}(?:{_DRIVER}|left|front_left)_{_SEAT_BELT}{_SWITCH}|buckle_status",
        opposite=f"{_SEAT_BELT}_driver_(?:unlatched|unfastened|unbuckled|lamp)|gurtwarn_vf|{_SEAT_BELT}_warn\\w*",
        on=_FASTENED, off=_LOOSE, despite=f"{_STATUS} warn",
    ),
    Quantity(
        "belt of the front passenger", "body.BeltPassenger", None,
        f"{_SEAT_BELT}_(?:{_PASSENGER}|bf)(?:_(?:latched|fastened|buckled))?|"
        f"first_row_buckle_ps\\w+|{_FRONT_ONLY}(?:{_PASSENGER}|right|front_right)_{_SEAT_BELT}{_SWITCH}",
        opposite=f"{_SEAT_BELT}_pass(?:enger)?_(?:unlatched|unfastened|unbuckled|lamp)",
        on=_FASTENED, off=_LOOSE, despite=_STATUS,
    ),
    Quantity(
        "selector of the gearbox", "body.SelectorShown", "",
        "prndl?\\d?|gear_(?:shifter|shift|lever|lvr|selector|sel|position|pos|state|stat|status)|"
        "(?:clu|lvr|di|shift|trans(?:mission)?)_gear|waehl_?hebel|fahrstufe|w(?:ae)?hl_?pos|trn_rng|selector(?:_\\w+)?",
        "gear|cur_gr", coded=True,
        states=tuple(
            (f"body.SelectorShown == '{one}'", (names,))
            for one, names in (
                ("P", "p|park|parking"), ("R", "r|rev|reverse"), ("N", "n|neutral"), ("D", "d|drive"), ("S", "s|sport"),
            )
        ),
        despite=_STATUS,
    ),
    Quantity(
        "dipped beam", "body.DippedBeam", None,
        "(?:low_beams?|dipped_beams?|abblendlicht|abblend)(?:_(?:on|active|status|lamp|lights?))?|head_?lights?_(?:on|low)",
        despite=f"{_STATUS} low",
    ),
    Quantity(
        "main beam", "body.MainBeam", None,
        "(?:high_beams?|main_beams?|full_beams?|fernlicht)(?:_(?:on|active|status|lamp|lights?))?|head_?lights?_high",
        despite=_STATUS,
    ),
    Quantity(
        "side lights", "body.SideLights", None,
        "(?:side|parking|park|position|tail)_(?:lights?|lamps?)(?:_(?:on|status))?|standlicht", despite=_STATUS,
    ),
    Quantity(
        "fog lights, front", "body.FrontFogLights", None,
        "(?:front_fog|fog_front|fog_light_front|nebelscheinwerfer|nsw)(?:_(?:lights?|lamps?|on))?",
    ),
    Quantity(
        "fog lights, rear", "body.RearFogLights", None,
        "(?:rear_fog|fog_rear|fog_light_rear|nebelschluss\\w*|nsl)(?:_(?:lights?|lamps?|on))?",
    ),
    Quantity(
        "hazard lights", "body.HazardLights", None,
        "hazard(?:_(?:lights?|lamps?|warning|sw(?:itch)?|on))*|warn_?blink\\w*", despite="warn warning",
    ),
    Quantity(
        "cruise control, state", "body.CruiseState", None,
        "(?:acc|cruise|crz|gra|tsk|cc|adr|scc)_?(?:state|status|sta|mode|stat)"
        "(?=_(?:(?:acc|gra|anzeige|gra_acc|d_actl)_)?(?:\\d+_)?$)|acm_feature_status|"
        "(?:sta|status|state)_(?:gra|acc|cruise|tsk)|cc_stat",
        states=(
            ("body.CruiseState == 'active'", ("active|activated|aktiv|regulating|regelt|engaged", "enabled|acc")),
            ("body.CruiseState == 'standby'", ("standby|stand_by|ready|waiting|armed|bereit", "enabled")),
            ("body.CruiseState == 'off'", ("off|disabled|aus|none|nicht",)),
        ),
        despite=f"{_STATUS} acc adr gra tsk cruise cc mode",
    ),
    Quantity(
        "cruise control, switched on", "body.CruiseState > 0", None,
        "(?:acc|cruise|crz|gra|scc)_(?:main_on|available|avail|hauptsch(?:alter)?)|(?:cruise|crz)_on(?!_off)|main_mode_acc|"
        "cruise_main(?:_on)?",
        within="\\w*(?:cruise|acc)\\w*", short="main_on|acc_on", despite="acc gra cruise",
    ),
    Quantity(
        "cruise control, at work", "body.CruiseState == 'active'", None,
        "(?:acc|cruise|crz|gra|scc)_(?:active|enabled?|activated?|engaged|status(?=_$))",
        despite="acc gra cruise status",
    ),
    Quantity(
        "set speed of cruise control", "body.CruiseSpeed", "km/h",
        "(?:acc|cruise|crz|gra|aca)_(?:set_?)?(?:speed|spd|v)(?:_?(?:set(?:point)?|wunsch|pcm|kph|kmh))?|v_set(?:_dis)?|"
        "(?:acc|gra|aca)_(?:v_)?wunsch(?:geschw)?|wunschgeschw|speed_set_?point|dsply_cc_set",
        within="\\w*(?:cruise|acc)\\w*", short="set_speed",
        despite="acc gra cruise set setpoint wunsch",
    ),
)  # fmt: skip
"""In the order in which they are tried, before those of quantities.py."""
