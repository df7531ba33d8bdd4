"""The pytest plugin, in a pytest of its own."""

from xml.etree import ElementTree as ET

import pytest

from ...program import demo_bench

pytest_plugins = ["pytester"]

MODULE = """
import pytest

def test_the_demo_bench(bench):
    bench.set("input.Key", 1)
    bench.advance(2.0)
    assert bench.read("vehicle.EngineRpm") > 500

def test_every_test_has_its_own(bench):
    assert bench.time == 0

@pytest.mark.bench("bench.yaml", seed=7)
def test_a_bench_beside_the_test(bench):
    assert bench.parts.settings.rate == 500
    assert bench.parts.settings.seed == 7

@pytest.mark.bench(demo_driver=True)
def test_the_demo_driver(bench):
    bench.advance(3.0)
    assert bench.read("input.Key") >= 0
"""


def test_the_fixture_and_its_marker(pytester: pytest.Pytester) -> None:
    """The marker is known, also where unknown ones are errors."""
    demo_bench(pytester.path, ("rate: 1000 ", "rate: 500 "))
    pytester.makepyfile(MODULE)
    result = pytester.runpytest_subprocess("--strict-markers", "-q")
    result.assert_outcomes(passed=4)


HEAVY = """
import pytest
@pytest.mark.bench(set={"vehicle.body.mass": 1400, "bench.rate": 200})
def test_it_is_heavy(bench):
    assert bench.parts.vehicle.settings.body.mass == MASS
    assert bench.parts.settings.rate == 200
"""


@pytest.mark.parametrize(("options", "mass"), [((), 1400), (("--hilbridge-set", "vehicle.body.mass=1500"), 1500)])
def test_values_are_set_by_marker_and_command_line(
    pytester: pytest.Pytester, options: tuple[str, ...], mass: int
) -> None:
    """The command line goes before the marker; a daemon in real time does not have them."""
    pytester.makepyfile(HEAVY.replace("MASS", str(mass)))
    pytester.runpytest_subprocess("-q", *options).assert_outcomes(passed=1)
    refused = pytester.runpytest_subprocess("-q", "--hilbridge-hardware", *options)
    refused.assert_outcomes(errors=1)
    refused.stdout.fnmatch_lines(["*values of files are set on a virtual bench alone*"])


def test_the_daemon_is_imported_only_for_a_bench(pytester: pytest.Pytester) -> None:
    """Tests of other projects do not wait for the import of the daemon."""
    pytester.makepyfile("import sys\ndef test_nothing(): assert 'hilbridge.bench.bench' not in sys.modules")
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)


RED = """
def test_the_engine_stands(bench):
    bench.set("input.Key", 1)
    bench.advance_until("vehicle.EngineRpm > 300", timeout=30.0)
    assert bench.read("vehicle.EngineRpm") < 100
"""

HTML = '''
"""Stands in for pytest-html: the names of its extras, and its plugin by its name."""
import sys, types
extras = types.SimpleNamespace(svg=lambda content: ("svg", content[:5]), url=lambda url, name: ("url", name))
sys.modules["pytest_html"] = types.SimpleNamespace(extras=extras)

def pytest_configure(config):
    config.pluginmanager.register(types.SimpleNamespace(), "html")

def pytest_runtest_logreport(report):
    for extra in getattr(report, "extras", []):
        print("EXTRA", *extra)
'''


@pytest.mark.nightly
def test_a_red_test_names_the_folder_of_its_last_seconds(pytester: pytest.Pytester) -> None:
    """On the terminal, and in JUnit XML as a property; a green test leaves nothing behind."""
    pytester.makepyfile(RED + "def test_green(bench): bench.advance(0.01)")
    result = pytester.runpytest_subprocess("--junitxml=report.xml", "--hilbridge-keep=kept")
    result.assert_outcomes(passed=1, failed=1)
    (folder,) = (pytester.path / "kept").iterdir()
    assert sorted(file.name for file in folder.iterdir()) == ["frames.blf", "log.txt", "values.svg"]
    result.stdout.fnmatch_lines([f"*{folder}/frames.blf"])
    properties = ET.parse(pytester.path / "report.xml").iter("property")
    assert [(one.get("name"), one.get("value")) for one in properties] == [("hilbridge", str(folder))]


def test_a_red_test_says_why_there_is_no_picture(pytester: pytest.Pytester) -> None:
    """Where matplotlib is not installed: with the command that installs it."""
    pytester.makeconftest(
        "import sys; sys.modules['matplotlib'] = None; import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'matplotlib' else real(name, *more)\n"
        "import hilbridge.testing.pytest_plugin as plugin; plugin.find_spec = u.find_spec\n"
        "import hilbridge.testing.evidence as evidence; evidence.find_spec = u.find_spec\n"
    )
    pytester.makepyfile("def test_red(bench): bench.advance(0.01); assert False")
    result = pytester.runpytest_subprocess("--hilbridge-keep=kept")
    result.stdout.fnmatch_lines(["no picture of the values, which needs matplotlib: *-m pip install 'matplotlib*"])
    assert not list((pytester.path / "kept").glob("*/values.svg"))


@pytest.mark.nightly
def test_the_report_of_pytest_html_shows_the_picture(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(HTML)
    pytester.makepyfile(RED)
    result = pytester.runpytest_subprocess("-s", "-q")
    result.stdout.fnmatch_lines(["*EXTRA url frames.blf", "*EXTRA url log.txt", "*EXTRA svg <?xml"])


@pytest.mark.nightly
def test_the_same_test_runs_on_hardware(pytester: pytest.Pytester) -> None:
    """The bench of the command line takes the place of the marker's; the log of its daemon is kept too."""
    demo_bench(pytester.path, ("slcan: 0", "slcan: 0 # any"))
    (pytester.path / "lab.yaml").write_text(
        (pytester.path / "bench.yaml").read_text() + f"\ncontrol: {{socket: {pytester.path}/ctl.sock, mode: '600'}}\n"
    )
    pytester.makepyfile("import pytest\n@pytest.mark.bench('nowhere.yaml')" + RED)
    result = pytester.runpytest_subprocess("-q", "--hilbridge-bench=lab.yaml", "--hilbridge-hardware")
    result.assert_outcomes(failed=1)
    (folder,) = (pytester.path / "hilbridge-failures").iterdir()
    assert {file.name for file in folder.iterdir()} == {"frames.blf", "log.txt", "values.svg", "daemon.log"}
