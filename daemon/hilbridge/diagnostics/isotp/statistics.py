"""What happened on the connections of a server or client."""

from dataclasses import dataclass


@dataclass(slots=True)
class IsoTpStatistics:
    """Counters since the start of the run; they only ever grow. In brackets the result of ISO 15765-2, 8.3.7."""

    requests: int = 0  # handed to an application
    answers: int = 0  # begun
    ignored: int = 0  # requests that came while an answer was under way
    refused: int = 0  # the same, told so
    dropped: int = 0  # requests or answers for which there was no more room
    # frames passed over
    malformed: int = 0  # nothing that ISO-TP knows
    unexpected: int = 0  # a consecutive frame or flow control that nobody waits for (N_UNEXP_PDU)
    # messages sent that were broken off
    n_bs_timeout: int = 0  # no flow control came (N_TIMEOUT_Bs)
    overflow: int = 0  # the other side has no room (N_BUFFER_OVFLW)
    too_many_waits: int = 0  # (N_WFT_OVRN)
    invalid_flow_status: int = 0  # (N_INVALID_FS)
    # messages received that were broken off
    n_cr_timeout: int = 0  # no consecutive frame came (N_TIMEOUT_Cr)
    wrong_sequence: int = 0  # (N_WRONG_SN)
    interrupted: int = 0  # by a new first or single frame (N_UNEXP_PDU)
    too_long: int = 0  # longer than there is room for; told so
