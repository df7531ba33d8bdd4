"""Settings of ISO-TP, the transport of OBD-II and UDS."""

from typing import Annotated, Literal

from pydantic import Field

from hilbridge.settings.common import Settings, unit

FrameSize = Literal[8, 12, 16, 20, 24, 32, 48, 64]
"""[byte] TX_DL: data bytes of a full frame."""

Byte = Annotated[int, Field(ge=0, le=0xFF)]


class IsoTpSettings(Settings):
    """How control units speak ISO-TP (ISO 15765-2)."""

    timing: Annotated[
        Literal["iso-15765-2", "iso-15765-4"],
        Field(description="how long the other side is waited for: 1000 ms, or as OBD on CAN wants it, 75 and 150 ms"),
    ] = "iso-15765-2"
    block_size: Annotated[Byte, Field(description="frames of a request between two flow controls; 0: no limit")] = 0
    st_min: Annotated[
        float,
        Field(ge=0, le=127, description="least time between two frames of a request", json_schema_extra=unit("ms")),
    ] = 0.0
    padding: Annotated[
        Byte | None, Field(description="fills frames up to eight bytes; null: they end with their data")
    ] = 0xCC
    frame_size: Annotated[
        FrameSize,
        Field(description="of a full frame of an answer; more than 8 are CAN FD", json_schema_extra=unit("bytes")),
    ] = 8
    bit_rate_switch: Annotated[bool, Field(description="CAN FD frames use the data bit rate")] = False
    longest: Annotated[
        int, Field(ge=8, le=1 << 20, description="request that there is room for", json_schema_extra=unit("bytes"))
    ] = 4095
    burst: Annotated[
        int, Field(ge=1, le=64, description="frames of an answer in a tick, where the tester allows it")
    ] = 4
    functional_flow_control: Annotated[
        bool, Field(description="flow control is taken on the functional identifier too; some testers send it there")
    ] = False
    while_busy: Annotated[
        Literal["ignore", "refuse"], Field(description="requests that come while an answer is under way")
    ] = "ignore"
