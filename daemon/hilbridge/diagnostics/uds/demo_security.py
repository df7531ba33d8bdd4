"""A provider of keys for security access, to try it with: `provider: hilbridge.diagnostics.uds.demo_security:key`.

    key[i] = seed[i] xor (0x5A + level)

Anybody can read it here, so it protects nothing. It is nobody's algorithm: what real control units ask for is the
secret of their makers, and a bench that may know it brings a function of its own.
"""


def key(level: int, seed: bytes) -> bytes:
    """The key that opens a level (1, 3, 5, ...) after this seed."""
    return bytes(byte ^ (0x5A + level & 0xFF) for byte in seed)
