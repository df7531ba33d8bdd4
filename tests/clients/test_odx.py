"""What a bench answers, written as PDX, in the hands of odxtools: the same lists, and answers that decode to values."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hilbridge.desk.odx.export import write_pdx
from hilbridge.testing import VirtualBench

from ..odx_tester import codes, first_bytes, identifiers, load, talk


def name_of(layer: Any) -> str:
    """The unit's name, which a short name may not be."""
    return str(layer.long_name).partition(" ")[0]


def started(name: str) -> VirtualBench:
    bench = VirtualBench(name, seed=1)
    bench.set("input.Key", 1)
    bench.advance(2.0)
    return bench


@pytest.mark.parametrize("name", ["diagnostics", "electric", "car-network"])
def test_odxtools_lists_what_the_server_answers(tmp_path: Path, name: str) -> None:
    """The judge asks the server every service and every identifier there can be."""
    with started(name) as bench:
        write_pdx(bench.parts, tmp_path / "car.pdx")
        layers = {name_of(layer): layer for layer in load(tmp_path / "car.pdx").base_variants}
        ecus = {ecu.name: ecu for ecu in bench.parts.wiring.control_units.ecus if ecu.addresses}
        assert layers.keys() == ecus.keys()
        for unit, layer in layers.items():
            answers = {sid: ecus[unit].request(bytes((sid,)), False, 0) for sid in range(256) if not sid & 0x40}
            served = {sid for sid, answer in answers.items() if answer is not None and answer[2:] != b"\x11"}
            assert first_bytes(layer) == served, unit
            if 0x22 in served:
                read = {did: ecus[unit].request(b"\x22" + did.to_bytes(2, "big"), False, 0) for did in range(0x10000)}
                answered = {did for did, answer in read.items() if answer != b"\x7f\x22\x31"}
                rest = identifiers(layer) - answered
                assert answered <= identifiers(layer), unit
                assert rest <= {0xF400 + pid for pid in range(256)}, unit
                for (
                    did
                ) in rest:  # a PID without a value in this vehicle, as a boost pressure: service 01 is silent, too
                    assert ecus[unit].request(bytes((0x01, did & 0xFF)), False, 0) in (None, b"\x7f\x01\x12"), unit
            if 0x19 in served:
                answer = ecus[unit].request(b"\x19\x0a", False, 0)
                assert answer is not None
                assert codes(layer) == {int.from_bytes(answer[at : at + 3], "big") for at in range(3, len(answer), 4)}


@pytest.mark.parametrize("name", ["diagnostics", "electric"])
def test_answers_decode(tmp_path: Path, name: str) -> None:
    """Each request that odxtools encodes gets an answer that it decodes to its last bit, or a refusal that fits."""
    with started(name) as bench:
        write_pdx(bench.parts, tmp_path / "car.pdx")
        for layer in load(tmp_path / "car.pdx").base_variants:
            unit = name_of(layer)
            told = [one for one in talk(layer, partial(bench.uds, ecu=unit)) if one.error]
            wrong = [one for one in told if "refused" not in one.error]
            assert wrong == []
            # of the requests that are asked with made-up data, and outside of their sessions
            assert {one.answer[2] for one in told} <= {0x12, 0x13, 0x22, 0x24, 0x31, 0x33, 0x7E, 0x7F}
            assert len(told) < len(list(layer.services)) / 3


def test_values_are_right(tmp_path: Path) -> None:
    """The engine's speed, the battery and a text come back as the model has them, within a bit of theirs."""
    with started("diagnostics") as bench:
        write_pdx(bench.parts, tmp_path / "car.pdx")
        layer: Any = load(tmp_path / "car.pdx").base_variants["engine"]
        decoded = {one.name: one.decoded for one in talk(layer, lambda request: bench.uds(request, ecu="engine"))}
        (speed,) = [value for name, value in decoded["Pid_0C"].items() if "RPM" in name.upper() or "Speed" in name]
        assert speed == pytest.approx(bench.read("vehicle.EngineRpm"), abs=5)
        assert decoded["Read_F190"]["value"] == "WHBZZZ1EZSA000007"
        assert layer.get_can_receive_id() == 0x7E0
        assert layer.get_can_send_id() == 0x7E8


@pytest.mark.parametrize("name", ["diagnostics", "electric"])
def test_a_bench_of_the_export_answers_the_same_services(tmp_path: Path, name: str) -> None:
    """The way back: `odx:` of a bench reads what another one wrote."""
    with started(name) as bench:
        write_pdx(bench.parts, tmp_path / "car.pdx")
        units = {unit: bench.parts.settings.diagnostics.units[unit] for unit in bench.parts.settings.diagnostics.units}
    lines = [f"    {unit}: {{odx: {{file: car.pdx, variant: {unit}}}, bus: can}}" for unit in units]
    text = "name: back\nvehicle: compact\nbuses: {can: {interface: embedded}}\ndiagnostics:\n  units:\n"
    (tmp_path / "back.yaml").write_text(text + "\n".join(lines) + "\n")
    with VirtualBench(tmp_path / "back.yaml", seed=1) as back:
        back.set("input.Key", 1)
        back.advance(1.0)
        write_pdx(back.parts, tmp_path / "again.pdx")
        first, again = load(tmp_path / "car.pdx"), load(tmp_path / "again.pdx")
        accounts = back.parts.wiring.bench_files.file.odx
        for layer in first.base_variants:
            other = again.base_variants[layer.short_name]
            unread = accounts[layer.short_name].unread
            assert identifiers(layer) == identifiers(other)
            assert codes(layer) == codes(other)
            services: Any = layer.services
            for service in services:
                lost = service.request.coded_const_prefix()[0] in first_bytes(layer) - first_bytes(other)
                assert not lost or service.short_name in unread, service.short_name
            assert (layer.get_can_receive_id(), layer.get_can_send_id()) == (
                other.get_can_receive_id(),
                other.get_can_send_id(),
            )
            wrong = [
                one
                for one in talk(other, partial(back.uds, ecu=layer.short_name))
                if one.error and "refused" not in one.error
            ]
            assert wrong == []
