"""Settings of authentication (ISO 14229-1:2020, service 29)."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, UserFunction, unit
from hilbridge.files.settings.uds_sessions import ServiceKey


class AuthenticationSettings(Settings):
    """Service 29. All cryptography is a function of the user; without an answer of it no tester is authenticated.

        def authenticate(step: int, head: bytes, parameters: list[bytes], challenge: bytes) -> list[bytes] | None

    `step` is the sub-function (01 to 07), `head` what stands before the parameters with a length, `challenge` the last
    one that was sent. It returns the parameters of the answer that follow the challenge, or None to refuse.
    """

    function: Annotated[UserFunction, Field(description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION")]
    kind: Annotated[
        Literal["certificates", "asymmetric", "symmetric"],
        Field(description="certificates: steps 01 to 04; else challenge and response, steps 05 to 07"),
    ] = "symmetric"
    challenge_length: Annotated[
        int, Field(ge=8, le=512, description="of a challenge", json_schema_extra=unit("bytes"))
    ] = 32
    services: Annotated[
        list[ServiceKey],
        Field(description='what needs authentication (34), by service, "2E", or service and sub-function, "11 01"'),
    ] = []

    @model_validator(mode="after")
    def _reachable(self) -> "AuthenticationSettings":
        if any(key[:2] == "29" for key in self.services):
            raise ConfigurationError("nobody could authenticate", ("services",))
        return self
