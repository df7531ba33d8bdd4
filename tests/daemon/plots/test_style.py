"""What all pictures share."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from hilbridge.common.errors import ConfigurationError
from hilbridge.plots import style
from hilbridge.plots.style import check_plot, save


def test_what_cannot_be_drawn_is_refused_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another format, no such folder, no matplotlib: the extra is named."""
    with pytest.raises(ConfigurationError, match=r"\.svg or \.png, not 'drive\.pdf'"):
        check_plot(tmp_path / "drive.pdf")
    with pytest.raises(ConfigurationError, match="there is no folder"):
        check_plot(tmp_path / "nowhere" / "drive.svg")
    check_plot(tmp_path / "drive.svg")
    monkeypatch.setattr(style, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'hilbridge\[plot\]'"):
        check_plot(tmp_path / "drive.svg")


def test_equal_figures_give_equal_files(tmp_path: Path) -> None:
    """No date and no random identifiers in an SVG."""
    for name in ("one.svg", "two.svg"):
        figure = Figure()
        figure.subplots().plot([0.0, 1.0], [1.0, 2.0])
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
