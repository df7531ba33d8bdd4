"""The settings of J1939 control units, and source addresses of a bus."""

import pytest
from pydantic import ValidationError

from hilbridge.settings import BusSettings
from hilbridge.settings.j1939 import J1939NodeSettings, J1939Settings


def test_a_source_address_is_that_of_all_nodes_or_of_each() -> None:
    one = BusSettings(interface="embedded", database="a.dbc", source_address=3)
    each = BusSettings(interface="embedded", database="a.dbc", source_address={"ENGINE": 0})
    assert [one.source_address_of(node) for node in ("ENGINE", None)] == [3, 3]
    assert [each.source_address_of(node) for node in ("ENGINE", "BRAKES", None)] == [0, None, None]


@pytest.mark.parametrize("address", [-1, 254, 255])
def test_nobody_has_the_null_or_the_global_address(address: int) -> None:
    with pytest.raises(ValidationError):
        BusSettings(interface="embedded", database="a.dbc", source_address=address)


def test_a_text_field_cannot_hold_the_sign_that_ends_it() -> None:
    with pytest.raises(ValidationError):
        J1939NodeSettings(function=0, software=["a*b"])


def test_there_is_at_least_one_node() -> None:
    with pytest.raises(ValidationError):
        J1939Settings(bus="truck", nodes={})
