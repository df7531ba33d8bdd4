"""The campaign file: YAML to checked settings, and the line of every setting."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.campaign import CampaignSettings

TITLE: Final = "hilbridge campaign file"


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """A campaign, as far as its file alone shows that it can be run."""

    file: YamlFile
    settings: CampaignSettings

    @property
    def path(self) -> Path:
        """The campaign file."""
        return self.file.path

    @property
    def name(self) -> str:
        """The name of the campaign in reports."""
        return self.path.stem

    def beside(self, name: str) -> str:
        """Return the path of a file beside this one, or a name as it is."""
        near = self.path.parent / name
        return str(near) if is_file(near) else name


def load_campaign(path: Path) -> CampaignFile:
    """Read a campaign file. InvalidFileError with everything that is wrong with it."""
    file = YamlFile.load(path)
    try:
        return CampaignFile(file, CampaignSettings.model_validate(file.data, strict=True))
    except ValidationError as error:
        reasons = explain(error, file.data, campaign_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


@cache
def campaign_schema() -> Schema:
    """Return the JSON Schema of a campaign file."""
    return schema_of(TypeAdapter(CampaignSettings), TITLE)
