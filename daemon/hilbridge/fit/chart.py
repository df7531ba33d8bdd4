"""A digitised dyno chart: the full-load curve as CSV.

    rpm, torque Nm
    1000, 104
    2000, 168

A column `power` (kW, PS or hp) may stand in place of `torque` (Nm or lb-ft), as an instrument or a magazine gives it.
"""

from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.configuration.csvfile import CsvFile, Quantity
from vehiclesim.block import RPM_TO_W

_LB_FT: Final = 1.3558179483
"""[N m]"""

_COLUMNS: Final = {
    "rpm": Quantity({"": 1.0, "1/min": 1.0}, 100_000.0, lowest=1.0),
    "torque": Quantity({"nm": 1.0, "lb-ft": _LB_FT, "lbft": _LB_FT}, 1e6),
    "power": Quantity({"kw": 1.0, "ps": 0.73549875, "hp": 0.74569987}, 1e6),
}


class ChartPoint(NamedTuple):
    """A point of the curve."""

    rpm: float
    torque: float  # [Nm]


def load_chart(path: Path) -> tuple[ChartPoint, ...]:
    """Reads a chart; T = P/w where it gives the power.

    InvalidFileError with everything that is wrong with it, ConfigurationError when it cannot be read at all.
    """
    file = CsvFile(path, "chart", _COLUMNS, needed=("rpm",))
    if not file.problems and ("torque" in file.values) == ("power" in file.values):
        file.refuse(1, "", "needs either a column 'torque' or a column 'power'")
    file.check_ascending("rpm", "1/min")
    file.verdict()
    speeds = file.values["rpm"]
    if "torque" in file.values:
        return tuple(map(ChartPoint, speeds, file.values["torque"]))
    return tuple(
        ChartPoint(rpm, 1e3 * power / (rpm * RPM_TO_W)) for rpm, power in zip(speeds, file.values["power"], strict=True)
    )
