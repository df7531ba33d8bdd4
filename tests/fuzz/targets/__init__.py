"""What is fuzzed, a file each: `SEEDS` to begin with, and `one_input`, which must not raise whatever it is given."""

NAMES = (
    "bench_file",
    "control",
    "damaged",
    "database",
    "datagrams",
    "elm327",
    "frames",
    "input_events",
    "lockstep",
    "log",
    "recording",
    "serial_bytes",
    "slcan",
)
