"""How much a page may ask."""

from hilbridge.base.common.units import SECOND
from hilbridge.faces.cockpit.viewer import command_allowance


def test_so_many_commands_at_once_and_then_as_they_come_back() -> None:
    """240 at once; another 24 after a tenth of a second."""
    allowance = command_allowance()
    assert sum(allowance.take(0) for _ in range(1000)) == 240
    assert sum(allowance.take(SECOND // 10) for _ in range(1000)) == 24


def test_what_was_not_used_does_not_pile_up() -> None:
    allowance = command_allowance()
    assert sum(allowance.take(3600 * SECOND) for _ in range(1000)) == 240
