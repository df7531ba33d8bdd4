"""What is fuzzed, a file each: `SEEDS` to begin with, and `one_input`, which must not raise whatever it is given."""

NAMES = (
    "answers",
    "bench_file",
    "campaign_file",
    "control",
    "damaged",
    "database",
    "datagrams",
    "doip",
    "elm327",
    "frames",
    "input_events",
    "lockstep",
    "log",
    "profile_file",
    "recording",
    "scenario_file",
    "serial_bytes",
    "slcan",
    "socketcand",
    "vehicle_file",
)
