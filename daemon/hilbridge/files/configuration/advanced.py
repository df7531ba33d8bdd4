"""The advanced keys of the bench file: those that no shipped file, no example of the reference and no guide has.

They are parameters of standards and of rare hardware. The reference marks them; a key with an example is not advanced.
"""

from typing import Final

ADVANCED: Final = frozenset(
    (
        "advance", "announce", "announce_port", "arbitrary_address", "attempts", "authentication", "backend",
        "backwards", "block_length", "burst", "byte_order", "challenge_length", "clear_while_running",
        "controllers", "crc_byte_order", "description", "distribution", "doubled", "dynamic", "ecu_instance", "eid",
        "exit", "extension", "fast", "fd", "fill", "fold", "formats", "frame_size", "freeze_frame", "function_instance",
        "functional_unit", "gid", "hardware", "head", "identity", "image", "industry_group", "latches",
        "long_window", "longest", "lost", "lowest_voltage", "manufacturer", "masters", "medium", "medium_window",
        "missing", "most", "node", "nv_storage", "only", "option", "options", "p2_star", "part_number", "parts",
        "periodic", "plausible", "read", "reflect", "resume", "reversed", "running", "scaling", "seed_length",
        "serial", "sha256", "short_window", "shutdown_time", "slow", "sockets", "standard", "stn", "stop", "testers",
        "timing", "unlock", "vehicle_system", "vehicle_system_instance", "versions", "waiting", "while_busy",
        "write_time", "wwh_class",
    )
)  # fmt: skip
