"""Bytes of requests and acknowledgements, by hand from SAE J1939-21."""

from hilbridge.diagnostics.j1939.request import Control, acknowledgement, requested

from .peers import text


def test_a_request_names_its_group_lowest_byte_first() -> None:
    """What follows is passed over; two bytes are no request."""
    assert requested(bytes.fromhex("EC FE 00")) == 65260
    assert requested(bytes.fromhex("EC FE 00 FF FF FF FF FF")) == 65260
    assert requested(bytes.fromhex("EC FE")) is None


def test_a_negative_acknowledgement_goes_to_all_and_names_the_requester() -> None:
    assert text(acknowledgement(Control.NEGATIVE, 65260, 0xF9, 0x00)) == "18E8FF00 01 FF FF FF F9 EC FE 00"
    assert text(acknowledgement(Control.POSITIVE, 65235, 0x21, 0x03)) == "18E8FF03 00 FF FF FF 21 D3 FE 00"
