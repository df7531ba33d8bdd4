"""How much a page may ask."""

from hilbridge.cockpit.viewer import Allowance


def test_so_many_commands_at_once_and_then_as_they_come_back() -> None:
    """240 at once; another 24 after a tenth of a second."""
    allowance = Allowance(0.0)
    assert sum(allowance.take(0.0) for _ in range(1000)) == 240
    assert sum(allowance.take(0.1) for _ in range(1000)) == 24


def test_what_was_not_used_does_not_pile_up() -> None:
    allowance = Allowance(0.0)
    assert sum(allowance.take(3600.0) for _ in range(1000)) == 240
