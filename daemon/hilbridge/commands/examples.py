"""An example or two of each command, which its help shows."""

from typing import Final

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "demo": ("demo", "demo --duration 60"),
    "run": ("run my.yaml --open", "run demo --clock virtual --duration 60 --record run1", "run demo --scenario launch"),
    "top": ("top", "top demo"),
    "page": ("page --open", "page my.yaml --qr"),
    "mcp": ("mcp demo", "mcp demo --write"),
    "vss": ("vss --list", "vss demo", "vss demo --broker 127.0.0.1:55555 --rate 5"),
    "ctl": ("ctl status", "ctl get vehicle.EngineRpm", "ctl demo set input.Throttle 0.3 --for 5", "ctl arm cluster"),
    "explain": ("explain cluster-vw-pq --plan", "explain my.yaml --lamp ABS"),
    "calibrate": ("calibrate my.yaml",),
    "new": ("new --profile vw-pq my.yaml", "new --from car.dbc my.yaml", "new --from demo my.yaml"),
    "learn": ("learn drive.log -o my.yaml", "learn drive.log --against speed.csv -o my.yaml"),
    "clone": ("clone talk.log -o my.yaml",),
    "check": ("check my.yaml", "check demo launch", "check campaign.yaml"),
    "profiles": ("profiles golf", "profiles vw-pq"),
    "presets": ("presets audi", "presets vw-mqb"),
    "values": ("values body.", "values gear"),
    "schema": ("schema bench", "schema scenario"),
    "campaign": ("campaign campaign.yaml --jobs 4 --report results.html",),
    "replay": ("replay run1", "replay run1 --until 12.5 --branch run2 --set input.Throttle=1"),
    "bisect": ("bisect run1 'vehicle.EngineRpm > 6000'",),
    "shrink": ("shrink run1 'vehicle.EngineRpm > 6000' -o short.yaml",),
    "export": (
        "export run1 frames.blf",
        "export run1 values.csv --values vehicle.Speed",
        "export a.log a --dbc car.dbc",
    ),
    "plot": ("plot run1 vehicle.Speed vehicle.EngineRpm -o speed.svg",),
    "engine": ("engine mx5-nd --plot engine.svg",),
    "fit": ("fit mx5-nd -o engine.yaml",),
    "drive": ("drive mx5-nd", "drive mx5-nd --cycle speeds.csv --plot drive.svg"),
    "perform": ("perform mx5-nd",),
    "fmu": ("fmu mx5-nd -o mx5.fmu", "fmu --bench demo"),
    "a2l": ("a2l demo -o demo.a2l",),
    "lockstep": ("lockstep header >hilbridge.h",),
    "doctor": ("doctor", "doctor my.yaml"),
    "service": ("service", "service desk"),
    "mend": ("mend my.yaml",),
    "state": ("state show demo", "state backup demo -o demo.backup"),
    "lab": ("lab list", "lab ctl desk status"),
    "trust": ("trust my.yaml", "trust"),
    "completion": ("completion bash",),
    "manual": ("manual",),
    "benchmark": ("benchmark", "benchmark --benches demo"),
}
"""The words after `hilbridge`, as a shell takes them; by command."""


def examples(command: str) -> str:
    """Return what is printed below the options of a command."""
    return "examples:\n" + "\n".join(f"  hilbridge {words}" for words in EXAMPLES[command])
