"""What is fuzzed, a file each: `SEEDS` to begin with, and `one_input`, which must not raise whatever it is given."""

NAMES = ("bench_file", "database", "elm327", "frames", "log", "recording", "serial_bytes", "slcan")
