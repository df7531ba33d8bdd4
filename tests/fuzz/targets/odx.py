"""A diagnostic database: any bytes are one, or a ConfigurationError; what it holds is settings of a control unit.

The reader is called here, not in its child process, which a fuzzer cannot look into; so its bounds of memory are not.
"""

import logging
import warnings
from contextlib import suppress

from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.odx.child import read
from hilbridge.files.settings.units import UnitSettings

from ...odx_files import DOCUMENT, DOPS, SERVICES, document, package

logging.disable(logging.WARNING)
SEEDS = [
    document({"read_part": SERVICES["read_part"]}, DOPS).encode(),
    DOCUMENT.encode(),
    package({"box.odx-d": document({"any_channel": SERVICES["any_channel"]}, DOPS)}),
]


def one_input(data: bytes) -> None:
    with warnings.catch_warnings(), suppress(ConfigurationError):
        keys = read(data, None, [], obd=False, vin=False)["keys"]
        keys = {"bus": "body", "addresses": [{"request": 1, "answer": 2}], **keys}
        with suppress(ValidationError):  # which a bench reports as any other: a key with its reason
            UnitSettings.model_validate(keys, strict=True)
