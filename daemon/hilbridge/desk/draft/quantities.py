"""The measured values that databases carry, and what they are called there, in several languages.

Patterns are regular expressions that match whole words of a name, as `frames/protection/names.py` cuts it. Add what
your database says; `python -m tests.corpora signals` has opendbc's cars judge it.
"""

from typing import Final

from hilbridge.desk.draft.body_quantities import BODY
from hilbridge.desk.draft.quantity import Quantity

_TEMP: Final = "temp(?:erature?|eratur)?"
_ANGLE: Final = "(?:angle|winkel|ang)"
_SPEED: Final = "(?:speed|spd|geschw(?:indigkeit)?)"


def _wheel(short: str, german: str, end: str, side: str) -> str:
    """Return the names of the speed of one wheel: `fl`, `vl`, `front` and `left` for the first."""
    ends = "f|fr|frt|front" if end == "front" else "r|re|bck|rear"
    place = f"(?:{short}|{side[0]}{end[0]}|(?:{ends})_?(?:{side[0]}|{side})|{side}_{end})"
    wheel = "(?:wheel|whl)"
    words = f"{wheel}_?{_SPEED}_?{place}(?:_val)?|{wheel}_{place}(?:_{_SPEED})?|{place}_{wheel}_{_SPEED}"
    return f"{words}|{german}_rad{_SPEED}|rad{_SPEED}_{german}"


_WHEELS: Final = "wheel_speeds?(?:_\\w+)?"
"""Messages in which `FL` is the speed of a wheel."""

QUANTITIES: Final = (
    *BODY,
    Quantity(
        "engine speed", "vehicle.EngineRpm", "rpm",
        "eng(?:ine)?_(?:rpm|speed|spd|revs)|motor_?drehz(?:ahl)?|anzeige_?drehz(?:ahl)?|drehzahl_(?:01|vm)|n_eng|n_mot|"
        "eng_aout3?_n_actl|regime_moteur|giri_motore|regimen_motor|rpm_moteur|toerental|varvtal",
        "rpm|n|ne|ne1|drehzahl|nmot",
    ),
    Quantity(
        "wheel speed, front left", "chassis.WheelSpeedFrontLeft", "km/h", _wheel("fl", "vl", "front", "left"),
        within=_WHEELS, short="fl|lf",
    ),
    Quantity(
        "wheel speed, front right", "chassis.WheelSpeedFrontRight", "km/h", _wheel("fr", "vr", "front", "right"),
        within=_WHEELS, short="fr|rf",
    ),
    Quantity(
        "wheel speed, rear left", "chassis.WheelSpeedRearLeft", "km/h", _wheel("rl", "hl", "rear", "left"),
        within=_WHEELS, short="rl|lr",
    ),
    Quantity(
        "wheel speed, rear right", "chassis.WheelSpeedRearRight", "km/h", _wheel("rr", "hr", "rear", "right"),
        within=_WHEELS, short="rr",
    ),
    Quantity(
        "road speed", "vehicle.Speed", "km/h",
        f"(?:vehicle|veh|car|road|fahrzeug|fzg)_?{_SPEED}|xmission_speed|veh_v|v_veh|v_signal|v_ref|v_ecu|rad_kmh|"
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
        "acc(?:el(?:erator)?)?_(?:ped(?:al)?\\d?(?:_dep)?(?:_pos(?:ition)?|_percentage|_perc)?|pos(?:ition)?)|aped_pos|"
        "gas_pedal|pedal_gas|gas_human|r_app|fahr_?pedal(?:_?(?:roh)?wert)?(?:_oder_drosselklapp)?|mo\\d_pedalwert|throttle_(?:pos(?:ition)?|driver)|driver_throttle|pv_av_can|"
        "pedale?_accel(?:erateur)?",
        "throttle|tps|aps|app", despite="acc",
    ),
    Quantity(
        "clutch pedal", "input.Clutch > 0.01", None,
        "clutch_(?:pedal_)?(?:pressed|switch|sw|depressed)|kuppl(?:ungs)?_?schalter",
    ),
    Quantity(
        "parking brake", "input.Handbrake > 0.05", None,
        "hand_?brake(?:_active|_lamp|_on|_sw(?:itch)?)?|park(?:ing)?_?brake(?:_sw(?:itch)?|_lamp|_on|_active)?|"
        "hand_?bremse|frein_(?:a_)?main|p_?brake_act|(?:st_)?prk_brk(?:_status)?", despite="status",
    ),
    Quantity(
        "brake pedal", "input.Brake > 0.01", None,
        "brake_(?:pedal_)?(?:pressed|switch|on|act|light|lights|lamp|depressed|active|state|applied)|brake_pedal|main_brake|"
        "driver_(?:braking|brake_apply)|bped_drv_appl|fahrer_bremst|brems(?:licht)?_?schalter|stop_lamp|frein_appuye|mo\\d_bls",
        "bls|brake", on="driver_applying_brakes|bremse_betaetigt", off="no_bremsen", despite="state",
    ),
    Quantity(
        "brake pedal, position", "input.Brake", "%", "brake_(?:pedal_)?(?:pos(?:ition)?|percent(?:age)?)",
    ),
    Quantity(
        "brake pressure", "chassis.BrakePressure", "bar",
        "brem?s_?druck|brake_press(?:ure)?|p_mc\\d?|master_cyl(?:inder)?_press(?:ure)?", full=100,
    ),
    Quantity(
        "yaw rate", "chassis.YawRate", "deg/s",
        "yaw(?:_rate)?|veh_yaw|gier(?:rate|geschw\\w*)|vitesse_lacet(?:_brute)?",
    ),
    Quantity(
        "lateral acceleration", "chassis.LateralAcceleration", "m/s2",
        "lat(?:eral)?_acc(?:el(?:eration)?)?|acc(?:el)?_lat(?:eral)?|quer_?beschl\\w*", despite="acc",
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
        "sign of the steering wheel's angle", "chassis.SteeringWheelAngle < 0", None,
        f"vz_lenkrad_?{_ANGLE}|lenkrad_?{_ANGLE}_vz|steer(?:ing)?_(?:wheel_)?{_ANGLE}_sign|l[hw]\\d_(?:blw|lenk)_?sign",
        on="negativ\\w*|rechts|right", off="positiv\\w*|links|left", despite="sign",
    ),
    Quantity(
        "sign of the yaw rate", "chassis.YawRate < 0", None, "vz_gierr\\w*|gierr\\w*_vz|yaw_(?:rate_)?sign",
        on="negativ\\w*|rechts|right", off="positiv\\w*|links|left", despite="sign",
    ),
    Quantity(
        "angle of the steering wheel", "chassis.SteeringWheelAngle", "deg",
        f"steer(?:ing)?_(?:wheel_)?{_ANGLE}|lh\\d_blw|sas_angle|internal_sas|ste_pin_comp_an|lenkrad_?{_ANGLE}|"
        "lwi_lenkradw(?:inkel)?|angle_volant",
        within="steering(?:_\\w+)?", short="angle",
    ),
    Quantity(
        "sign of the torque at the steering wheel", "chassis.SteeringTorque < 0", None,
        "(?:eps_)?vz_lenk_?moment|lenk_?moment_vz|lh\\d_lm_?sign|steer(?:ing)?_(?:wheel_)?torque_sign",
        on="negativ\\w*|rechts|right", off="positiv\\w*|links|left", despite="sign",
    ),
    Quantity(
        "torque of the driver at the steering wheel", "chassis.SteeringTorque", "Nm",
        "steer(?:ing)?_(?:wheel_|column_)?(?:torque|trq|tq)(?:_sensor|_driver)?|(?:eps_)?lenk_?moment|"
        "(?:driver|column|col)_(?:input_)?(?:torque|trq|tq)|(?:torque|trq)_driver|(?:\\w+_)?str_col_tq|"
        "lka_driver_appld_trq|(?:\\w+_)?torsion_bar_(?:torque|trq|tq)|lh\\d_lm",
    ),
)  # fmt: skip
"""In the order in which they are tried: the first that fits a signal counts."""

WHEEL_SPEEDS: Final = tuple(one.origin for one in QUANTITIES if one.origin.startswith("chassis.WheelSpeed"))
"""The speeds of the four wheels."""

QUALITY: Final = Quantity("that the values are valid", "", None, "(?!)")
"""A signal that says whether others of its message are valid. It carries no value of the model."""

OTHERWISE: Final = """
    target tgt soll solldrehz solldrehzahl sollwert wunsch wunschdrehzahl set setpoint sp des desired req
    request rq rqst requested anf anforderung startanforderung
    cmd command limit limiter limitation lim grenze drehzahlgrenze max min mx mn
    maximum minimum idle idlg idl leerlauf ll cruise acc adr gra tsk hdc lead obj object ziel sign nav navi map
    tg tsc qbit qf bit valid validity invalid vld error err fehler fehlerstatus fehlerst fstatus sta stat status
    state flag inv diag def count chime warn warnung warning text txt nm gradient grad quelle signalquelle
    source unit factor offset decimal frac delta diff rel relative sum adaption modeled raw inverted recovery
    btn button buttons taste lock unlock key handle hndle alarm alrm checksum counter cnt cs crc bias calc
    auto assist flash decision reason calibrated drl backlight blind config aktuator actuator guidelines unlck
    second third trailer trlr trg tracking unknown related avail dash hud
    fan luefter mangel pid shaft turbine fahrtrichtung direction dir kickdown low lo klein wo
"""
"""Words that make another thing of a name: a wish, a limit, a quality, the speed of another vehicle."""

DISPLAYS: Final = "kombi kbi cluster clu dash dashboard meter instrument ipc hud"
"""Words in names of messages and nodes of instruments: what they say is what they show, and they say it themselves."""
