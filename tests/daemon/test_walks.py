"""The walks of daemon/README.md name files that exist."""

import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]

README = (CHECKOUT / "daemon/README.md").read_text(encoding="utf-8")

WALKS = README.partition("## Two walks")[2].partition("\n## ")[0]

STOPS = re.findall(r"(sim: )?((?:\w+/)*\w+\.(?:py|js))\b", WALKS)


@pytest.mark.parametrize(("model", "file"), STOPS)
def test_each_stop_is_a_file(model: str, file: str) -> None:
    roots = ["sim/vehiclesim"] if model else ["daemon/hilbridge", "daemon/hilbridge/faces/cockpit"]
    assert any((CHECKOUT / root / file).is_file() for root in roots)
