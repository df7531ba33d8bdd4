"""The pytest plugin: the fixture `bench`, a new one for every test.

    def test_the_engine_starts(bench: AnyBench) -> None: ...                  the packaged demo bench

    @pytest.mark.bench("desk.yaml", set={"vehicle.body.mass": 1400})          another one; arguments of VirtualBench
    def test_the_desk(bench: AnyBench) -> None: ...

    pytest --hilbridge-bench lab.yaml --hilbridge-hardware                    the same tests on a bench of hardware

A file name of the marker is searched for beside the test's file first. Of a test that fails, the last ten seconds are
kept in a folder that the report names: frames, a picture of the values, and what the test has done.

pytest loads this module in every run on a machine that has hilbridge, so it imports the daemon only when a test
requests a bench.
"""

import importlib
import re
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hilbridge.testing import AnyBench


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("hilbridge")
    group.addoption("--hilbridge-bench", metavar="BENCH", help="bench file or name, in place of every other bench")
    group.addoption(
        "--hilbridge-set", metavar="KEY=VALUE", action="append", default=[], help="as `hilbridge run --set`, for all"
    )
    group.addoption("--hilbridge-hardware", action="store_true", help="real time: a daemon is started for each test")
    group.addoption("--hilbridge-attach", metavar="NAME", help="hardware: use the bench that runs already")
    group.addoption("--hilbridge-arm", action="store_true", help="hardware: let its buses transmit")
    group.addoption("--hilbridge-trust", action="store_true", help="let the Python code run that the benches name")
    group.addoption(
        "--hilbridge-keep", metavar="DIR", default="hilbridge-failures", help="where the last seconds of red tests go"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        "bench(bench='demo', *, set={}, seed=None, demo_driver=False, start=None, trust=False): of the fixture 'bench'",
    )


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> "Iterator[AnyBench]":
    """The packaged demo bench on the virtual clock, that of the marker `bench`, or that of the command line."""
    marker, options = request.node.get_closest_marker("bench"), request.config.option
    names: tuple[Any, ...] = ("demo",)
    keys: dict[str, Any] = {}
    if marker is not None:
        names, keys = marker.args or names, dict(marker.kwargs)
    if options.hilbridge_trust:
        keys["trust"] = True
    if options.hilbridge_set:
        from hilbridge.files.configuration.scenariofile import parameter

        keys["set"] = {**keys.get("set", {}), **dict(map(parameter, options.hilbridge_set))}
    (name,) = names
    beside = request.path.parent / name
    with _make(options.hilbridge_bench or (beside if beside.is_file() else name), options, keys) as started:
        yield started


def _make(name: str | Path, options: Any, keys: dict[str, Any]) -> "AnyBench":
    if options.hilbridge_hardware or options.hilbridge_attach is not None:
        from hilbridge.testing import RealBench

        if keys.pop("set", None):
            pytest.fail("values of files are set on a virtual bench alone: `set`, --hilbridge-set", pytrace=False)
        return RealBench(name, arm=options.hilbridge_arm, attach=options.hilbridge_attach, **keys)
    from hilbridge.testing import VirtualBench

    return VirtualBench(name, **keys)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what explains a failure, and name it in the report, in JUnit XML and in that of pytest-html."""
    report = yield
    bench: Any = getattr(item, "funcargs", {}).get("bench")
    if report.when == "call" and report.failed and hasattr(bench, "keep"):
        folder = Path(item.config.option.hilbridge_keep, re.sub(r"[^\w.-]+", "_", item.nodeid)).absolute()
        try:
            files = bench.keep(folder)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test's own failure is the report
            report.sections.append(("hilbridge", f"nothing could be kept in {folder}: {error}"))
            return report
        lines = "kept: " + "\n      ".join(map(str, files))
        if find_spec("matplotlib") is None:
            lines += f"\nno picture of the values, which needs matplotlib: {_plot_remedy()}"
        report.sections.append(("hilbridge", lines))
        item.user_properties.append(("hilbridge", str(folder)))  # JUnit XML has those of the report of the teardown
        if item.config.pluginmanager.hasplugin("html"):
            _add_to_html(report, files)
    return report


def _plot_remedy() -> str:
    from hilbridge.base.common.remedies import extra_remedy

    return extra_remedy("plot")


def _add_to_html(report: pytest.TestReport, files: list[Path]) -> None:
    """Show the picture, and link the other files, in the report of pytest-html."""
    extras = importlib.import_module("pytest_html").extras
    shown = [
        extras.svg(file.read_text(encoding="utf-8")) if file.suffix == ".svg" else extras.url(file.as_uri(), file.name)
        for file in files
    ]
    vars(report)["extras"] = [*getattr(report, "extras", []), *shown]
