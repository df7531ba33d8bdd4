"""Settings of the control units on a J1939 bus."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Name, Settings, unit

Text = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[ -)+-~]+$")]
"""Printable, without the `*` that ends a field."""


class J1939NodeSettings(Settings):
    """The NAME of a control unit (SAE J1939-81), and what it tells about itself. Its address stands at the bus."""

    function: Annotated[
        int, Field(ge=0, le=255, description="0 engine, 3 transmission, 9 brakes, 12/13 retarder of engine/driveline")
    ]
    arbitrary_address: Annotated[
        bool, Field(description="takes an address of 128…247 when it loses its own; else it falls silent then")
    ] = False
    industry_group: Annotated[int, Field(ge=0, le=7, description="1: on-highway")] = 1
    vehicle_system: Annotated[int, Field(ge=0, le=127)] = 0
    vehicle_system_instance: Annotated[int, Field(ge=0, le=15)] = 0
    function_instance: Annotated[int, Field(ge=0, le=31)] = 0
    ecu_instance: Annotated[int, Field(ge=0, le=7)] = 0
    manufacturer: Annotated[int, Field(ge=0, le=0x7FF, description="code of the maker")] = 0
    identity: Annotated[int, Field(ge=0, le=0x1FFFFF, description="serial number")] = 1
    software: Annotated[list[Text], Field(min_length=1, max_length=8, description="SOFT: its fields")] = ["hilbridge"]


class J1939Settings(Settings):
    """Control units that claim addresses, answer requests, report trouble codes and take commands (SAE J1939)."""

    bus: Annotated[Name, Field(description="one of 'buses'; it needs a 'source_address'")]
    nodes: Annotated[
        dict[str, J1939NodeSettings], Field(min_length=1, description="by the node's name in the bus's database")
    ]
    vin: Annotated[
        str | None,
        Field(pattern=r"^[A-HJ-NPR-Z0-9]{17}$", description="VI of the engine's control unit; default: not answered"),
    ] = None
    reference_torque: Annotated[
        float | None,
        Field(
            gt=0,
            description="100 % of the torques in TSC1; default: the highest of the engine's data sheet",
            json_schema_extra=unit("Nm"),
        ),
    ] = None
