"""The documentation site with and without the folder of `make web` (docs/bench_here.py), by Sphinx itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A site of one page, two folders deep."""
    page = tmp_path / "source/a/b/try.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Try\n\n```{bench-here}\n```\n", encoding="utf-8")
    return tmp_path / "source"


def build(source: Path, folder: Path) -> tuple[str, Path]:
    """Return the built page, and the place of the bench in the site. A warning is an error."""
    site = source.parent / "site"
    settings = {
        "extensions": "myst_parser,bench_here", "root_doc": "a/b/try", "html_theme": "basic",
        "bench_folder": str(folder),
        "html_static_path": str(DOCS / "static"),
    }  # fmt: skip
    given = [word for key, value in settings.items() for word in ("-D", f"{key}={value}")]
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--quiet",
        "--fail-on-warning",
        "--isolated",
        *given,
        str(source),
        str(site),
    ]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(DOCS)}, check=True, timeout=120)
    return (site / "a/b/try.html").read_text(encoding="utf-8"), site / "bench"


def test_the_bench_is_on_its_page_and_its_size_is_told(source: Path, tmp_path: Path) -> None:
    """2.4 MB in two files, none of which is loaded before it is asked for; without the folder the page says so."""
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "hilbridge.zip").write_bytes(bytes(1_400_000))
    (folder / "index.html").write_bytes(bytes(1_000_000))
    page, bench = build(source, folder)
    assert 'data-bench="../../bench/index.html"' in page
    assert "It loads 2 MB once, from this site alone." in page
    assert "<iframe" not in page
    assert "make web" not in page
    assert (bench / "hilbridge.zip").stat().st_size == 1_400_000

    page, bench = build(source, tmp_path / "none")
    assert "built without the bench: make web before make docs puts it here" in page
    assert "bench/index.html" not in page
    assert not bench.exists()
