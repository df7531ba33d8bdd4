"""The calibration of pedals, levers and wheels from a page: the wizard of `hilbridge calibrate` behind commands.

    calibrate                            the inputs of the bench file and their controls
    calibrate-begin (input, control)     begins one, anew where one was under way
    calibrate-look                       the step at hand, raw readings, shares of the travel
    calibrate-step                       takes the readings of 0.6 s and ends the step, or says why it is refused
    calibrate-compare, calibrate-write   the changed lines of the bench file; the file

Readings are those of the running bench, part `sources` of its status.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath, reason_of
from hilbridge.faces.calibrate.bench_change import BenchChange
from hilbridge.faces.calibrate.readings import calibrated, input_name
from hilbridge.faces.calibrate.wizard import RefusedCalibrationError, Wizard
from hilbridge.faces.cockpit.control import Answer, ControlClient
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import BenchSettings

_INTERVAL: Final = 0.02
"""[s] between two readings."""
_HOLD: Final = 30
"""Readings of a step."""


class _Session(NamedTuple):
    """The calibration of one page: the input counted from 0, the place of the control's keys, its wizard."""

    number: int
    place: KeyPath
    wizard: Wizard


class Calibration:
    """The calibrations of all pages; `bench`: the bench file, None where there is none."""

    def __init__(self, bench: Path | None, control: ControlClient) -> None:
        self._bench: Final = bench
        self._control: Final = control
        self._sessions: Final[dict[object, _Session]] = {}

    async def execute(self, page: object, command: Mapping[str, object]) -> Answer:
        """Carry out a command of a page; what cannot be is an answer with `error`."""
        try:
            match command:
                case {"command": "calibrate"}:
                    return self._offer(await self._settings())
                case {"command": "calibrate-begin", "input": int(number), "control": str(name)}:
                    self._sessions[page] = self._begin(await self._settings(), number, name)
            return await self._go_on(self._sessions[page], command["command"])
        except KeyError:
            return {"error": "nothing is being calibrated"}
        except ConfigurationError as error:
            return {"error": error.message}
        except OSError as error:
            return {"error": f"the bench file cannot be written: {reason_of(error)}; its lines are shown"}

    def leave(self, page: object) -> None:
        """Forget what a closed page calibrated."""
        self._sessions.pop(page, None)

    async def _go_on(self, session: _Session, what: object) -> Answer:
        refused = ""
        if what == "calibrate-step":
            for _ in range(_HOLD):
                session.wizard.observe(await self._raw(session))
                await asyncio.sleep(_INTERVAL)
            try:
                session.wizard.advance()
            except RefusedCalibrationError as error:
                refused = error.message
        elif what in ("calibrate-compare", "calibrate-write"):
            return await asyncio.to_thread(self._change, session, write=what == "calibrate-write")
        raw = await self._raw(session)
        step = session.wizard.step
        values = [
            {"field": field, "raw": raw.get(field), "share": share}
            for field, share in zip(session.wizard.fields, session.wizard.shares(raw), strict=True)
        ]
        return {"step": None if step is None else step.words, "values": values, "refused": refused}

    def _change(self, session: _Session, *, write: bool) -> Answer:
        if self._bench is None or session.wizard.step is not None:
            raise ConfigurationError("there is nothing to write yet")
        changed = BenchChange(self._bench, {session.place: session.wizard.keys()})
        if write:
            changed.write()
        return {"difference": changed.difference(), "written": write}

    async def _settings(self) -> BenchSettings:
        if self._bench is None:
            raise ConfigurationError("this bench has no file")
        return (await asyncio.to_thread(load_bench, str(self._bench))).settings

    def _offer(self, bench: BenchSettings) -> Answer:
        inputs = [
            {"input": number, "name": f"{one.source} {input_name(one)}", "controls": list(controls)}
            for number, one in enumerate(bench.inputs)
            if (controls := calibrated(one, bench))
        ]
        return {"inputs": inputs}

    def _begin(self, bench: BenchSettings, number: int, name: str) -> _Session:
        controls = calibrated(bench.inputs[number], bench) if 0 <= number < len(bench.inputs) else {}
        if name not in controls:
            raise ConfigurationError(f"the input has no {name} to calibrate")
        return _Session(number, ("inputs", number, "signals", name), Wizard(*controls[name]))

    async def _raw(self, session: _Session) -> Mapping[str, Any]:
        answer = await self._control.ask({"command": "status", "parts": ["sources"]})
        sources = answer.get("sources", [])
        if "error" in answer or session.number >= len(sources):
            raise ConfigurationError(answer.get("error", "the bench runs with other inputs: reload it"))
        raw: Mapping[str, Any] = sources[session.number]["raw"]
        return raw
