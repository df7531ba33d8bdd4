"""Parameters of python-can's interfaces: those that are read, those that nobody reads, those that are wrong."""

import can
import pytest

from hilbridge.base.common.errors import KeyPath, LinkError
from hilbridge.boundary.links.python_can import blamed_key, open_interface, require_options


@pytest.mark.parametrize(
    ("interface", "option"),
    [
        ("slcan", "sleep_after_open"),  # a parameter of the class
        ("kvaser", "data_bitrate"),  # taken out of **kwargs
        ("pcan", "data_brp"),  # named in a table of the module
        ("socketcan", "can_filters"),  # of the base class
        ("vector", "app_name"),
        ("socketcand", "tcp_tune"),
        ("gs_usb", "bus"),
    ],
)
def test_a_parameter_that_python_can_documents_is_taken(interface: str, option: str) -> None:
    """Also where the vendor's library is not installed."""
    require_options(interface, {option: 1})


@pytest.mark.parametrize("interface", ["slcan", "kvaser", "pcan", "socketcan", "virtual"])
def test_a_parameter_that_nobody_reads_is_refused_with_its_key(interface: str) -> None:
    """python-can itself would swallow it."""
    with pytest.raises(LinkError, match=rf"{interface} reads the parameter 'sleep_after_opening'") as refusal:
        require_options(interface, {"can_filters": None, "sleep_after_opening": 0})
    assert refusal.value.place == ("options", "sleep_after_opening")


@pytest.mark.parametrize(
    ("options", "common", "place"),
    [
        ({"tty_baudrate": "fast"}, {}, ()),
        ({}, {"bitrate": 12_345}, ("bitrate",)),
        ({"bitrate": 500_000}, {"bitrate": 500_000}, ("options", "bitrate")),
    ],
)
def test_the_parameter_that_python_can_names_is_to_blame(
    options: dict[str, object], common: dict[str, object], place: KeyPath
) -> None:
    """Its words are kept; the key is found where they name it."""
    with pytest.raises(LinkError) as refusal:
        open_interface("slcan", "loop://", {"sleep_after_open": 0} | options, **common)
    assert refusal.value.place == place
    assert str(refusal.value)


def test_an_option_goes_before_a_parameter_with_a_key_of_its_own() -> None:
    assert blamed_key("fd needs data_bitrate", ["fd"], ["data_bitrate"]) == ("options", "data_bitrate")
    assert blamed_key("no such device", ["fd"], ["data_bitrate"]) == ()


def test_a_driver_that_is_not_installed_names_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What python-can says, and what installs it."""

    def missing(*_arguments: object, **_options: object) -> None:
        raise can.CanInterfaceNotImplementedError("No module named 'usb'")

    monkeypatch.setattr(can, "Bus", missing)
    with pytest.raises(LinkError, match=r"No module named 'usb'; pip install 'python-can\[gs-usb\]'") as raised:
        open_interface("gs_usb", 0, {})
    assert raised.value.place == ("interface",)
