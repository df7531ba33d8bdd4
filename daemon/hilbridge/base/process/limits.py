"""Bounds what this process may take, never above what it was started with (`ulimit -H`, systemd's `Limit…=`)."""

import resource


def lower_limit(kind: int, most: int) -> None:
    """Have the kernel allow this process so much of a `resource.RLIMIT_…`, or its hard limit if that is lower.

    The hard limit stays: of processor time the soft one ends the process by a signal of its own, SIGXCPU.
    """
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
