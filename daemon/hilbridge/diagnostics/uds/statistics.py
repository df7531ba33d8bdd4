"""What happened at a UDS server."""

from dataclasses import dataclass


@dataclass(slots=True)
class UdsStatistics:
    """Counters since the start of the run; they only ever grow."""

    requests: int = 0
    positive: int = 0  # answers
    negative: int = 0  # answers
    suppressed: int = 0  # positive, which the request did not want to hear
    unsaid: int = 0  # negative, which a functional request is not told
    pending: int = 0  # said that an answer takes longer
    busy: int = 0  # requests refused because another one was being worked on
    ignored: int = 0  # nothing in it, or an answer of somebody else
    session_timeouts: int = 0
    unlocked: int = 0
    wrong_keys: int = 0
    provider_failures: int = 0  # of the user's function for keys
