"""Settings of the control socket."""

from typing import Annotated, Final

from pydantic import Field

from hilbridge.settings.common import Settings

LONGEST_LINE: Final = 64 << 10
"""[bytes] of one command, its end included; a tick has no time for more."""


class ControlSettings(Settings):
    """A Unix socket where `hilbridge ctl` reaches the running bench."""

    socket: Annotated[
        str | None, Field(description="path; default: NAME.sock in /run/hilbridge, or in the user's run directory")
    ] = None
    mode: Annotated[
        str, Field(pattern=r"^0?[0-7]{3}$", description="who may use it: the permissions of the socket, octal")
    ] = "660"
    enabled: Annotated[bool, Field(description="whether there is one")] = True
