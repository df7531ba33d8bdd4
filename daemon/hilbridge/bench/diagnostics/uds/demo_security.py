"""A demonstration provider of keys for security access: `provider: hilbridge.bench.diagnostics.uds.demo_security:key`.

    key[i] = seed[i] xor (0x5A + level)

The algorithm is public, so it protects nothing, and it is that of no manufacturer. A bench that needs the secret
algorithm of a real control unit supplies a function of its own.
"""


def key(level: int, seed: bytes) -> bytes:
    """Return the key that unlocks a level (1, 3, 5, ...) after this seed."""
    return bytes(byte ^ (0x5A + level & 0xFF) for byte in seed)
