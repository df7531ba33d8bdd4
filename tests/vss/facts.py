"""The facts of the published tree of VSS about the paths of config/vss.yaml: tests/vss/facts.yaml.

    python -m tests.vss.facts FOLDER COMMIT     writes them anew from a checkout of COVESA/vehicle_signal_specification

Descriptions are not facts: where vss-tools wants one, it is given a dash. For the environment of `make test-vss`.
"""

import sys
from pathlib import Path
from typing import Any, Final

import yaml
from vss_tools.main import get_trees

from hilbridge.files.configuration.vss import load_vss

FACTS: Final = Path(__file__).with_name("facts.yaml")

_KEYS: Final = ("type", "datatype", "unit", "min", "max", "allowed")


def leaves(tree: Any) -> dict[str, Any]:
    """Return the signals of a tree by path, as vss-tools has them."""
    return {node.get_fqn(): node.data for node in tree.leaves if hasattr(node.data, "datatype")}


def loaded(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts, and their signals as vss-tools reads them; `folder` is for its files."""
    facts = yaml.safe_load(FACTS.read_text(encoding="utf-8"))
    quantities = {one["quantity"] for one in facts["units"].values()}
    branches = {path.rsplit(".", n)[0] for path in facts["signals"] for n in range(1, path.count(".") + 1)}
    nodes = {path: {"type": "branch"} for path in branches} | facts["signals"]
    contents = {
        "signals.vspec": {path: {**one, "description": "-"} for path, one in nodes.items()},
        "units.yaml": {name: {**one, "definition": "-"} for name, one in facts["units"].items()},
        "quantities.yaml": {name: {"definition": "-"} for name in quantities},
    }
    for name, content in contents.items():
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    return facts, leaves(get_trees(folder / "signals.vspec")[0])


def _written(folder: Path, commit: str) -> str:
    found = leaves(get_trees(folder / "spec/VehicleSignalSpecification.vspec", include_dirs=(folder / "spec",))[0])
    table = load_vss().settings
    signals = {}
    for path in table.signals:
        one = {key: getattr(found[path], key) for key in _KEYS}
        signals[path] = {key: getattr(value, "value", value) for key, value in one.items() if value is not None}
    known = yaml.safe_load((folder / "spec/units.yaml").read_text(encoding="utf-8"))
    used = sorted({one["unit"] for one in signals.values() if "unit" in one})
    units = {name: {key: known[name][key] for key in ("unit", "quantity", "allowed-datatypes")} for name in used}
    content = {"release": table.release, "commit": commit, "leaves": len(found), "units": units, "signals": signals}
    dumped = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return "# COVESA/vehicle_signal_specification; written by: python -m tests.vss.facts FOLDER COMMIT\n" + dumped


if __name__ == "__main__":
    FACTS.write_text(_written(Path(sys.argv[1]), sys.argv[2]), encoding="utf-8")
