"""What is kept from one run to the next, restored into a bench that has changed: nothing is lost without a word."""

from pathlib import Path

import yaml

from hilbridge.base.resources import Kind, find
from hilbridge.bench.bench import Bench
from hilbridge.bench.stored_state import StoredState
from hilbridge.files.configuration.benchfile import load_bench


def restored(folder: Path, state: dict[str, object], **changes: object) -> list[str]:
    """Restore a state into the diagnostics bench; return the warnings."""
    bench = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8")) | changes
    file = folder / "bench.yaml"
    file.write_text(yaml.safe_dump(bench, sort_keys=False), encoding="utf-8")
    warnings: list[str] = []
    StoredState(Bench(load_bench(str(file)))).restore(state, warnings.append)
    return warnings


def test_what_a_run_has_kept_is_taken_without_a_word(tmp_path: Path) -> None:
    bench = Bench(load_bench(str(find(Kind.BENCH, "diagnostics"))))
    assert restored(tmp_path, StoredState(bench).state()) == []


def test_what_belongs_to_a_control_unit_that_has_gone_is_told(tmp_path: Path) -> None:
    state: dict[str, object] = {
        "trouble_codes": {"brakes": {"troubles": {"C0035": {"confirmed": True}}}},
        "identifiers": {"brakes": {"F190": "00"}},
        "memory": {"radio": True},
    }
    assert restored(tmp_path, state) == [
        f"what was stored of the {what} is not used: this bench has none of the name"
        for what in ("trouble codes of brakes", "identifiers of brakes", "memory of radio")
    ]


def test_the_charge_of_a_car_that_burns_petrol_now_is_told(tmp_path: Path) -> None:
    assert restored(tmp_path, {"electric": {"charge": 0.5}}) == [
        "what was stored of the electric drive is not used: this vehicle has none"
    ]
