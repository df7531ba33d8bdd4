"""The PIDs of a traction battery, which a vehicle has with an electric motor (SAE J1979-DA).

    5B          charge, 100/255 % a bit
    9A byte A   bit 0 mode, 1 voltage, 2 current: supported
       byte B   bit 0, mode: 0 charge sustaining (a hybrid), 1 charge depleting (no engine charges it)
       C, D     voltage, 1/64 V a bit
       E, F     current, 0.1 A a bit, with a sign: positive while it drives

Places and scales of 9A: OBDb/SAEJ1979, d528efd8. It has six bytes, more than a frame of dbc/obd2.dbc holds.
"""

from hilbridge.bench.diagnostics.drive import Drive
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.files.settings.obd_data import DataTable


def traction_pids(drive: Drive) -> DataTable:
    """Return the PIDs; none of a vehicle without a traction battery."""
    if not drive.has_traction_battery:
        return {}
    return {
        "5B": {"HybridBattery": FieldSettings(expression="100 * electric.TractionCharge")},
        "9A": {
            "Supported": FieldSettings(constant=0b111, length=1),
            "Mode": FieldSettings(constant=0 if drive.has_engine else 1, length=1),
            "Voltage": FieldSettings.model_validate({"from": "electric.TractionVoltage", "scale": 1 / 64}),
            "Current": FieldSettings.model_validate({"from": "electric.TractionCurrent", "scale": 0.1, "signed": True}),
        },
    }
