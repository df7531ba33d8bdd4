"""The values of the model that databases carry, and what they are called there, in several languages.

Patterns are regular expressions that match whole words of a name, as `frames/protection/names.py` cuts it. Add what
your database says; `tests/daemon/desk/draft` has the databases that are known.
"""

from typing import Final, NamedTuple

USUAL_PERIOD: Final = 100
"""[ms] The cycle of states: lamps, switches, gears, terminals."""

_FAST: Final = 20
"""[ms] The cycle of what moves a needle or feeds a controller."""

_FAST_UNITS: Final = ("rpm", "km/h", "Nm", "deg")

_SLOW: Final = 200
"""[ms] The cycle of temperatures, levels and the like."""


class Quantity(NamedTuple):
    """A value of the model and its names.

    `origin` is an entry of the data bus, or an expression where `unit` is None: a switch of one or two bits. `unit` is
    taken where the database names none. `names` may stand within a longer name; `alone` are names so short that they
    count as a whole only, and with a unit. `coded`: makers code it each in their own way, so it stays a guess.
    """

    title: str
    origin: str
    unit: str | None
    names: str
    alone: str = ""
    coded: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it is a state of one or two bits."""
        return self.unit is None

    @property
    def period(self) -> int:
        """The cycle time [ms] where the database names none: pedals, speeds, torque and steering are fast."""
        if self.is_switch or self.coded:
            return USUAL_PERIOD
        return _FAST if self.unit in _FAST_UNITS or self.origin.startswith("input.") else _SLOW


_TEMP: Final = "temp(?:erature?|eratur)?"
_ANGLE: Final = "(?:angle|winkel|ang)"
_SPEED: Final = "(?:speed|spd|geschw(?:indigkeit)?)"


def _wheel(short: str, german: str, end: str, side: str) -> str:
    """Return the names of the speed of one wheel: `fl`, `vl`, `front` and `left` for the first."""
    ends = "fr|frt|front" if end == "front" else "re|bck|rear"
    place = f"(?:{short}|(?:{ends})_?(?:{side[0]}|{side})|{side}_{end})"
    wheel = "(?:wheel|whl)"
    words = f"{wheel}_?{_SPEED}_?{place}|{wheel}_{place}(?:_{_SPEED})?|{place}_{wheel}_{_SPEED}"
    return f"{words}|{german}_rad{_SPEED}|rad{_SPEED}_{german}"


QUANTITIES: Final = (
    Quantity(
        "engine speed", "vehicle.EngineRpm", "rpm",
        "eng(?:ine)?_(?:rpm|speed|spd|revs)|motor_?drehz(?:ahl)?|anzeige_?drehz(?:ahl)?|drehzahl_(?:01|vm)|n_eng|n_mot|"
        "eng_aout3?_n_actl|regime_moteur|giri_motore|regimen_motor|rpm_moteur|toerental|varvtal",
        "rpm|n|ne|ne1|drehzahl|nmot",
    ),
    Quantity("wheel speed, front left", "chassis.WheelSpeedFrontLeft", "km/h", _wheel("fl", "vl", "front", "left")),
    Quantity("wheel speed, front right", "chassis.WheelSpeedFrontRight", "km/h", _wheel("fr", "vr", "front", "right")),
    Quantity("wheel speed, rear left", "chassis.WheelSpeedRearLeft", "km/h", _wheel("rl", "hl", "rear", "left")),
    Quantity("wheel speed, rear right", "chassis.WheelSpeedRearRight", "km/h", _wheel("rr", "hr", "rear", "right")),
    Quantity(
        "road speed", "vehicle.Speed", "km/h",
        f"(?:vehicle|veh|car|road|fahrzeug|fzg)_?{_SPEED}|xmission_speed|v_veh|v_signal|v_ref|v_ecu|rad_kmh|"
        "vit(?:esse)?_veh(?:icule)?|velocidad|velocita|hastighet|geschwindigkeit|speed_(?:real|kph|kmh)",
        "speed|vs|vm|kmh|sp1|velocity|vitesse",
    ),
    Quantity(
        "temperature of the coolant", "auxiliary.CoolantTemperature", "degC",
        f"cool(?:ant)?_{_TEMP}|cool(?:ant)?_t|kuehlmittel_?{_TEMP}|kuehlm_t|(?:cooling_?)?water_{_TEMP}|wasser_?{_TEMP}|"
        f"{_TEMP}_eng|eng(?:ine)?_{_TEMP}|motor_?{_TEMP}|{_TEMP}_(?:moteur|motore|eau)|t_eau|c_eng_dst_t_sens",
        "clt|ect|coolant|tmot",
    ),
    Quantity(
        "temperature of the oil", "auxiliary.OilTemperature", "degC",
        f"oil_{_TEMP}|oel_?{_TEMP}|ol_?{_TEMP}|{_TEMP}_(?:eoi|oil|huile|olio)",
    ),
    Quantity(
        "temperature in the intake", "auxiliary.IntakeTemperature", "degC",
        f"intake_(?:air_)?{_TEMP}|air_intake_{_TEMP}|ansaug(?:luft)?_?{_TEMP}", "iat",
    ),
    Quantity(
        "temperature outside", "road.AmbientTemperature", "degC",
        f"ambient_(?:air_)?{_TEMP}|amb_{_TEMP}|out(?:side)?_(?:air_)?{_TEMP}|air_{_TEMP}_outsd|aussen_?{_TEMP}",
    ),
    Quantity(
        "fuel in the tank", "auxiliary.FuelShare", "%",
        "fuel_(?:disp_)?(?:level|lvl|gauge|percent)|tank_?inhalt|inhalt_tank|tank_?fuellstand|"
        "kraftstoff(?:stand|vorrat|inhalt)|niveau_carburant|livello_carburante|tank_level",
    ),
    Quantity(
        "accelerator pedal", "input.Throttle", "%",
        "accel(?:erator)?_(?:ped(?:al)?(?:_pos(?:ition)?|_percentage|_perc)?|pos(?:ition)?)|gas_pedal|pedal_gas|"
        "fahr_?pedal(?:wert)?(?:_oder_drosselklapp)?|throttle_(?:pos(?:ition)?|driver)|driver_throttle|pv_av_can|"
        "pedale?_accel(?:erateur)?",
        "throttle|tps|aps",
    ),
    Quantity(
        "clutch pedal", "input.Clutch > 0.01", None,
        "clutch_(?:pedal_)?(?:pressed|switch|sw|depressed)|kuppl(?:ungs)?_?schalter",
    ),
    Quantity(
        "parking brake", "input.Handbrake > 0.05", None,
        "hand_?brake(?:_active|_lamp|_on|_sw(?:itch)?)?|park(?:ing)?_?brake(?:_sw(?:itch)?|_lamp|_on|_active)?|"
        "hand_?bremse|frein_(?:a_)?main",
    ),
    Quantity(
        "brake pedal", "input.Brake > 0.01", None,
        "brake_(?:pedal_)?(?:pressed|switch|on|act|light|lights|lamp|depressed|active)|brake_pedal|fahrer_bremst|"
        "brems(?:licht)?_?schalter|stop_lamp|frein_appuye",
        "bls",
    ),
    Quantity(
        "brake pedal, position", "input.Brake", "%", "brake_(?:pedal_)?(?:pos(?:ition)?|percent(?:age)?)",
    ),
    Quantity(
        "gear", "max(0, vehicle.GearboxGear)", "",
        "(?:actual|current|cur|engaged)_(?:gear|gr)|gear_(?:act|actual|engaged|box)|ist_?gang|eingelegte?r?_(?:gang|"
        "fahrstufe)|gang_?anzeige|transmission_gear|rapport_engage|marcia",
        "gear|gang", coded=True,
    ),
    Quantity("terminal 15", "input.Key >= 0", None, "kl_?15|klemme_?15|ign(?:ition)?_on"),
    Quantity("terminal 15, inverted", "input.Key < 0", None, "ign(?:ition)?_off"),
    Quantity("terminal R or S", "input.Key >= 0", None, "kl_?[rs]|klemme_?[rs]|accessory_on"),
    Quantity("terminal X", "input.Key == 0", None, "kl_?x|klemme_?x"),
    Quantity("terminal 50", "input.Key > 0", None, "kl_?50|klemme_?50|anlasser|starter_wird_angesteuert"),
    Quantity(
        "engine runs", "vehicle.EngineWorking", None, "eng(?:ine)?_(?:running|run)|motor_laeuft|moteur_tournant",
    ),
    Quantity(
        "malfunction indicator lamp", "auxiliary.IndicatorLamp", None,
        "l_mil|mil_(?:lamp|on|status)|check_engine(?:_lamp|_light)?|obd_?2?_lampe|mo5_obd_2", "mil",
    ),
    Quantity("anti-lock brakes at work", "vehicle.AbsEngaged", None, "abs_(?:act|active|bremsung|brems|engaged)"),
    Quantity(
        "stability control at work", "vehicle.EscEngaged", None, "(?:esp|esc|vdc)_(?:act|active|eingriff|engaged)",
    ),
    Quantity("traction control at work", "vehicle.TcsEngaged", None, "(?:tcs|asr)_(?:act|active|eingriff|engaged)"),
    Quantity(
        "odometer", "auxiliary.Odometer", "km", "odo(?:meter)?|km_?stand|kilometer_?stand|kilometrage|total_distance",
    ),
    Quantity(
        "voltage of the battery", "auxiliary.BatteryVoltage", "V",
        "batt?(?:ery)?_(?:volt(?:age)?|u)|bord_?(?:netz)?spannung|batterie_?spannung|v_?batt?|u_batt?",
    ),
    Quantity(
        "torque of the engine", "vehicle.EngineTorque", "Nm", "eng(?:ine)?_(?:torque|trq)|motor_?moment|couple_moteur",
    ),
    Quantity("pressure of the oil", "auxiliary.OilPressure", "kPa", "oil_press(?:ure)?|oel_?druck|press_huile"),
    Quantity(
        "angle of the steering wheel", "chassis.SteeringWheelAngle", "deg",
        f"steer(?:ing)?_(?:wheel_)?{_ANGLE}|sas_angle|lenkrad_?{_ANGLE}|lwi_lenkradw(?:inkel)?|angle_volant",
    ),
)  # fmt: skip
"""In the order in which they are tried: the first that fits a signal counts."""

OTHERWISE: Final = """
    target tgt soll solldrehz solldrehzahl sollwert wunsch wunschdrehzahl set setpoint sp des desired req
    request rq rqst requested anf anforderung startanforderung
    cmd command limit limiter limitation lim grenze drehzahlgrenze max min mx mn
    maximum minimum idle idlg idl leerlauf ll cruise acc adr gra tsk hdc lead obj object ziel sign nav navi map
    tg tsc qbit qf bit valid validity invalid vld error err fehler fehlerstatus fehlerst fstatus sta stat status
    state flag inv diag def count chime warn warnung warning text txt nm gradient grad quelle signalquelle
    source unit factor offset decimal frac delta diff rel relative sum adaption modeled raw inverted recovery
    fan luefter mangel pid shaft turbine fahrtrichtung direction dir kickdown low lo klein wo
"""
"""Words that make another thing of a name: a wish, a limit, a quality, the speed of somebody else."""

DISPLAYS: Final = "kombi kbi cluster clu dash dashboard meter instrument ipc hud"
"""Words in names of messages and nodes of instruments: what they say is what they show, and they say it themselves."""
