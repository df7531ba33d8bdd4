"""The statistics of an ISO-TP server or client."""

from dataclasses import dataclass


@dataclass(slots=True)
class IsoTpStatistics:
    """Counters since the start of the run. In brackets the result of ISO 15765-2, 8.3.7."""

    requests: int = 0  # passed to an application
    answers: int = 0  # begun
    ignored: int = 0  # requests that arrived while an answer was in progress
    refused: int = 0  # the same, answered with busyRepeatRequest
    dropped: int = 0  # requests or answers beyond the limits of their queues
    # ignored frames
    malformed: int = 0  # not an ISO-TP frame
    unexpected: int = 0  # a consecutive frame or flow control out of place (N_UNEXP_PDU)
    # aborted messages, sent
    n_bs_timeout: int = 0  # no flow control came (N_TIMEOUT_Bs)
    overflow: int = 0  # the receiver has no buffer (N_BUFFER_OVFLW)
    too_many_waits: int = 0  # (N_WFT_OVRN)
    invalid_flow_status: int = 0  # (N_INVALID_FS)
    # aborted messages, received
    n_cr_timeout: int = 0  # no consecutive frame came (N_TIMEOUT_Cr)
    wrong_sequence: int = 0  # (N_WRONG_SN)
    interrupted: int = 0  # by a new first or single frame (N_UNEXP_PDU)
    too_long: int = 0  # longer than allowed, answered with overflow
