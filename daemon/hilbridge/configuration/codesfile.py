"""The file of trouble codes: YAML to checked settings."""

from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.common.errors import InvalidFileError
from hilbridge.configuration.schema import Schema, schema_of
from hilbridge.configuration.validation import explain
from hilbridge.configuration.yamlfile import YamlFile
from hilbridge.settings.dtc import TroubleCodesSettings

TITLE: Final = "hilbridge file of trouble codes"


def load_codes(path: Path) -> TroubleCodesSettings:
    """Reads a file of trouble codes. InvalidFileError with everything that is wrong with it."""
    file = YamlFile.load(path)
    try:
        return TroubleCodesSettings.model_validate(file.data, strict=True)
    except ValidationError as error:
        reasons = explain(error, file.data, codes_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


def codes_schema() -> Schema:
    """JSON Schema of a file of trouble codes."""
    return schema_of(TypeAdapter(TroubleCodesSettings), TITLE)
