"""Which link a bus gets."""

import subprocess
import sys

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.factory import open_link
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus


@pytest.mark.parametrize(
    ("settings", "description"),
    [
        ({"interface": "embedded"}, "embedded, without a way in"),
        ({"interface": "embedded", "slcan": 0}, "slcan on socket://127.0.0.1:"),
        ({"interface": "virtual", "channel": "x"}, "virtual x (helper process)"),
    ],
)
def test_the_interface_decides(bus: Bus, settings: dict[str, object], description: str) -> None:
    link = open_link(bus, BusSettings.model_validate(settings))
    assert link.describe().startswith(description)
    link.close()


def test_a_can_interface_that_does_not_exist_is_an_error_that_names_it(bus: Bus) -> None:
    """Whether the kernel lacks the interface or CAN as a whole."""
    with pytest.raises(LinkError, match=r"socketcan nocan7: .*(`ip link add dev nocan7 type vcan`|`modprobe can_raw`)"):
        open_link(bus, BusSettings(interface="socketcan", channel="nocan7"))


@pytest.mark.parametrize("settings", ["interface='embedded', slcan=0", "interface='virtual', channel='x'"])
def test_python_can_is_not_loaded_without_need(settings: str) -> None:
    """It takes a tenth of a second and 19 MB of the tick process."""
    program = (
        "import sys; from hilbridge.frames.bus.bus import Bus; from hilbridge.boundary.links.factory import open_link;"
        "from hilbridge.files.settings import BusSettings;"
        f"open_link(Bus('b'), BusSettings({settings})).close();"
        "print({'can', 'numpy', 'structlog', 'rich'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
