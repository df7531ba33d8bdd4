"""Writes about the rows of a campaign on demand: a page, JUnit XML, a table of Parquet."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import replace_file
from hilbridge.bench.scenario.page import is_page
from hilbridge.runs.campaign.columns import check_parquet, parquet
from hilbridge.runs.campaign.page import page
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.runs import Campaign
from hilbridge.runs.campaign.verdicts import junit_of

_XML: Final = ".xml"
_PARQUET: Final = ".parquet"


def check_reports(paths: Sequence[Path]) -> None:
    """Raise ConfigurationError, before any run is made, for a report that cannot be written."""
    for path in paths:
        if not is_page(path) and path.suffix.lower() not in (_XML, _PARQUET):
            raise ConfigurationError(f"a report on a campaign is .html, {_XML} or {_PARQUET}, not {path.name!r}")
        if path.suffix.lower() == _PARQUET:
            check_parquet()


def write_reports(
    paths: Sequence[Path], campaign: Campaign, rows: Mapping[str, Row], folder: Path, pictures: Mapping[str, str]
) -> None:
    """Write what the names of the files ask for. `rows`, `pictures` (SVG): by run; `folder`: the results.

    ConfigurationError: a file cannot be written.
    """
    in_order = [rows[run.name] for run in campaign.runs if run.name in rows]
    for path in paths:
        if is_page(path):
            content = page(campaign, in_order, folder, pictures).encode()
        elif path.suffix.lower() == _PARQUET:
            content = parquet(in_order)
        else:
            content = junit_of(campaign, rows)
        try:
            replace_file(path, content)
        except OSError as error:
            raise ConfigurationError(f"cannot write {path}: {error.strerror}") from None
