"""The row of a cluster in a status."""

from typing import Annotated, NamedTuple

from hilbridge.base.common.rows import fact
from hilbridge.bench.questioner import QuestionRow
from hilbridge.bench.reported_frames import ReportRow


class ClusterRow(NamedTuple):
    """The reports of the cluster behind a bus, and the last question to it."""

    reports: Annotated[list[ReportRow], fact("reports")]
    question: Annotated[QuestionRow | None, fact()]
