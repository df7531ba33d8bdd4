"""What a user does in the first minute, with the hilbridge that is installed for this Python: a smoke test.

    ENVIRONMENT/bin/python tests/packaging/smoke.py [--build compiled|interpreted] [--benches NAME...] [--like FOLDER]

Checks benches, runs one on the virtual clock and on the real one, whose page must answer, plays a scenario and a
campaign, exports and replays. It needs nothing but the standard library, and no network. With `--like`, the sums of
frames and values are those that the first call for these sources has left in FOLDER: no version of Python, no build and
no dependency may change a bit of them. What is left out because an extra is missing is printed.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path
from typing import Any, Final

LONGEST: Final = 300.0
"""[s] that a command may take, on a machine that has much else to do."""

PAGE: Final = ("starlette", "uvicorn", "websockets")
"""What the extra `cockpit` brings."""

BENCH: Final = "demo"

SCENARIO: Final = """
purpose: The starter turns the engine
steps:
  - set: {input.Key: 1}
  - expect: "vehicle.EngineRpm > 150"
    within: 3
"""

CAMPAIGN: Final = """
bench: demo
scenario: crank.yaml
vary: {vehicle.engine.inertia: [0.3, 0.5]}
figures: {speed: {of: vehicle.EngineRpm, take: highest}}
"""

SOBOL: Final = """
bench: demo
scenario: crank.yaml
vary: {vehicle.engine.inertia: {from: 0.3, to: 0.5}}
design: {kind: sobol, runs: 2}
"""

IMPORT_ALL: Final = """
import importlib, pkgutil, hilbridge, vehiclesim
for package in hilbridge, vehiclesim:
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.startswith(("hilbridge.faces.labgrid", "hilbridge.__main__")):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                assert not error.name.startswith(("hilbridge", "vehiclesim")), error
"""

CHECK_ALL: Final = """
import contextlib, io, sys
from hilbridge.commands.cli import main
from hilbridge.base.resources import Kind
names = sys.argv[1:] or sorted(file.stem for folder in Kind.BENCH.folders for file in folder.glob("*.yaml"))
for name in names:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = main(["check", name])
    assert not status, f"{name}: {said.getvalue()}"
print(len(names))
"""


class Smoke:
    """The steps, in a folder of their own; each raises when the program does not do what it should."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sums: dict[str, str] = {}
        away = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "HILBRIDGE_INTERPRETED"}
        self.environment = {name: value for name, value in os.environ.items() if name not in away}
        self.environment |= {"XDG_STATE_HOME": str(folder / "state"), "XDG_RUNTIME_DIR": str(folder / "sockets")}
        (folder / "sockets").mkdir(mode=0o700)
        (folder / "crank.yaml").write_text(SCENARIO, encoding="utf-8")
        (folder / "campaign.yaml").write_text(CAMPAIGN, encoding="utf-8")
        (folder / "sobol.yaml").write_text(SOBOL, encoding="utf-8")

    def python(self, *words: str) -> str:
        """Return what this Python prints; what it says on the other stream is shown when it fails."""
        done = subprocess.run(
            [sys.executable, "-W", "error::SyntaxWarning", *words],
            cwd=self.folder, env=self.environment, timeout=LONGEST, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{' '.join(words)[:200]}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.stdout

    def hilbridge(self, *words: str) -> str:
        """Return what a command prints."""
        return self.python("-m", "hilbridge", *words)

    def keep_sum(self, name: str, content: bytes) -> None:
        """Note what must be the same everywhere."""
        self.sums[name] = hashlib.sha256(content).hexdigest()

    def build(self, expected: str | None) -> None:
        """Tell which build this is, which may be said beforehand."""
        build = self.python("-c", "from hilbridge.base import model_build; print(model_build.describe())").strip()
        assert expected in (None, build), f"this should be {expected}, and is {build}"
        version = self.hilbridge("--version").strip()
        print(f"{version}, {build}, Python {platform.python_version()}", flush=True)

    def documents(self, benches: list[str]) -> None:
        """Check benches, and print what is JSON."""
        checked = self.python("-c", CHECK_ALL, *benches).splitlines()[-1]
        json.loads(self.hilbridge("schema"))
        assert "MIT" in self.hilbridge("lockstep", "header")
        json.loads(self.hilbridge("engine", "compact", "--json"))
        print(f"checked {checked} benches", flush=True)

    def virtual_run(self) -> None:
        """Run, record, export and replay; two seconds of the demo driver, in the order of time."""
        self.hilbridge("run", BENCH, "--clock", "virtual", "--duration", "2", "--record", "recording")
        self.hilbridge("export", "recording", "frames.log")
        self.hilbridge("export", "recording", "values.csv", "--values")
        self.hilbridge("replay", "recording")
        frames = (self.folder / "frames.log").read_bytes()
        times = [float(line.split()[0].strip(b"()")) for line in frames.splitlines()]
        assert times == sorted(times)
        assert 1.9 < times[-1] - times[0] <= 2.0, times[-1] - times[0]
        self.keep_sum("frames of the demo bench", frames)
        self.keep_sum("values of the demo bench", (self.folder / "values.csv").read_bytes())
        for module, name, words in (("asammdf", "frames.mf4", ()), ("pyarrow", "values.parquet", ("--values",))):
            if importlib.util.find_spec(module) is None:
                print(f"left out, as {module} is not installed: {name}", flush=True)
            else:
                self.hilbridge("export", "recording", name, *words)
                assert (self.folder / name).stat().st_size > 1000
        print(f"ran, exported and replayed {len(times)} frames", flush=True)

    def scenario(self) -> None:
        """Play a scenario, and make a campaign of it."""
        self.hilbridge("run", BENCH, "--clock", "virtual", "--scenario", "crank.yaml", "--report", "report.json")
        self.hilbridge("campaign", "campaign.yaml", "--into", "results")
        text = (self.folder / "results/rows.jsonl").read_text(encoding="utf-8")
        rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
        assert [row["verdict"] for row in rows] == ["passed", "passed"], rows
        results = sorted((str(row["set"]), row["figures"]["speed"], row["sha256"]) for row in rows)
        self.keep_sum("rows of the campaign", repr(results).encode())
        print("played a scenario and a campaign", flush=True)

    def extras(self) -> None:
        """Use what the installed extras are for, and import every module, as only some are imported above."""
        self.python("-c", IMPORT_ALL)
        for module, words in (
            ("shtab", ("completion", "bash")),
            ("matplotlib", ("plot", "recording", "vehicle.EngineRpm", "--output", "rpm.svg")),
            ("scipy", ("campaign", "sobol.yaml", "--jobs", "1")),
        ):
            if importlib.util.find_spec(module) is None:
                print(f"left out, as {module} is not installed: {words[0]}", flush=True)
            else:
                self.hilbridge(*words)

    def real_run(self) -> None:
        """Run on the real clock until a signal ends it; meanwhile its page answers."""
        missing = [module for module in PAGE if importlib.util.find_spec(module) is None]
        if missing:
            print(f"left out, as {', '.join(missing)} is not installed: the page", flush=True)
        bench = self.folder / "smoke.yaml"
        show = "from hilbridge.base.resources import Kind, find; print(find(Kind.BENCH, 'demo').read_text('utf-8'))"
        text = self.python("-c", show)
        for fixed, free in (
            ("name: demo", "name: smoke"),
            ("slcan: 29536", "slcan: 0"),
            ("ways: [35000, pty]", "ways: [0, pty]"),
        ):
            assert fixed in text
            text = text.replace(fixed, free)
        port = free_port()
        has_fabric = importlib.util.find_spec("zenoh") is not None
        own = f"\ncockpit: {{port: 0}}\n{f'fabric: {{port: {port}}}' if has_fabric else ''}\nstate: none\n"
        bench.write_text(text + own, encoding="utf-8")
        words = [sys.executable, "-m", "hilbridge", "run", "smoke.yaml", "--log", "json", "--duration", "600"]
        words += ["--no-web"] if missing else []
        words += ["--fabric"] if has_fabric else []
        with subprocess.Popen(
            words,
            cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as run:  # fmt: skip
            too_long = threading.Timer(LONGEST, run.kill)
            too_long.start()
            try:
                self._visit(run, port, page=not missing)
            finally:
                too_long.cancel()
                run.kill()

    def _visit(self, run: subprocess.Popen[str], port: int, *, page: bool) -> None:
        assert run.stdout is not None
        lines: list[str] = []
        url = ""
        for line in run.stdout:
            lines.append(line)
            record = json.loads(line) if line.startswith("{") else {}
            url = record.get("url", url) if record.get("event") == "cockpit" else url
            if record.get("event") == "status" and record["t"] > 0.5:
                break
        else:
            sys.exit(f"the run ended at once:\n{''.join(lines)[-4000:]}")
        if page:
            # The token of the address becomes a cookie.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
            with opener.open(url, timeout=60) as answer:
                assert b"<html" in answer.read()
            print("the page answers", flush=True)
        if importlib.util.find_spec("zenoh") is None:
            print("left out, as zenoh is not installed: the fabric", flush=True)
        else:
            assert "smoke" in self.hilbridge("lab", "--port", str(port), "list")
        run.send_signal(signal.SIGTERM)
        rest = run.stdout.read()
        assert run.wait(LONGEST) == 0, rest[-4000:]
        assert '"event": "stopped"' in rest
        print("ran on the real clock", flush=True)

    def compare(self, folder: Path) -> None:
        """Compare the sums with those of the first call, or be the first."""
        file = folder / f"{sources()}.json"
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(self.sums, indent=1), encoding="utf-8")
        expected = json.loads(file.read_text(encoding="utf-8"))
        assert self.sums == expected, (
            f"differs from another Python, build or set of dependencies: {self.sums}, {expected}"
        )
        print(f"as everywhere: {', '.join(self.sums)}", flush=True)


def free_port() -> int:
    """Return a TCP port of loopback that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def sources() -> str:
    """Return a hash of the sources and data that are installed, without what was compiled from them."""
    found = hashlib.sha256()
    for package in ("hilbridge", "vehiclesim"):
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix not in {".pyc", ".so"}:
                found.update(f"{package}/{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def main() -> None:
    """Take every step; a failing one ends it with status 1."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", choices=["compiled", "interpreted"])
    parser.add_argument("--benches", nargs="*", default=[BENCH], help="without names: all that are shipped")
    parser.add_argument("--like", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        smoke = Smoke(Path(folder))
        smoke.build(arguments.build)
        smoke.documents(arguments.benches)
        smoke.virtual_run()
        smoke.scenario()
        smoke.extras()
        smoke.real_run()
        if arguments.like is not None:
            smoke.compare(arguments.like)


if __name__ == "__main__":
    main()
