"""A program that runs fastsim: vehicles of its catalogue, with the energy of their fuel on UDDS and HWFET, as JSON.

A process of its own, because fastsim prints and warns while it is imported. Its models are read from its own catalogue.
"""

import importlib
import json
import sys
from typing import Any

CYCLES = ("udds", "hwfet")

FIELDS = (
    "scenario_name",
    "veh_kg",
    "drag_coef",
    "frontal_area_m2",
    "wheel_rr_coef",
    "wheel_radius_m",
    "wheel_inertia_kg_m2",
    "wheel_base_m",
    "veh_cg_m",
    "drive_axle_weight_frac",
    "trans_eff",
    "aux_kw",
    "alt_eff",
    "fc_max_kw",
    "fc_eff_type",
    "fc_pwr_out_perc",
    "fc_eff_map",
)
"""What the rule of conversion reads of a record."""


def plain(value: Any) -> Any:
    """Return a value of fastsim, whose lists are arrays, as JSON has it."""
    return list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value


def energy(fastsim: Any, vehicle: Any, cycle: str) -> float:
    """Return the fuel's energy on a cycle [MJ/km]."""
    table = fastsim.cycle.Cycle.from_file(cycle)
    simulation = fastsim.simdrive.RustSimDrive(table.to_rust(), vehicle.to_rust())
    simulation.sim_drive()
    return float(sum(simulation.fs_kwh_out_ach) * 3.6 / (sum(simulation.dist_m) / 1000.0))


def main() -> None:
    fastsim = importlib.import_module("fastsim")
    importlib.import_module("fastsim.simdrive")
    found = []
    for number in map(int, sys.argv[1:]):
        vehicle = fastsim.vehicle.Vehicle.from_vehdb(number)
        record = {name: plain(getattr(vehicle, name)) for name in FIELDS}
        found.append({"record": record, "energy": {name: energy(fastsim, vehicle, name) for name in CYCLES}})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
