"""Addresses: how they are spelled, and what they stand for (RFC 4291, RFC 5952)."""

import pytest

from hilbridge.base.common.addresses import is_among, is_wildcard, normal


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:0::0001", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::FFFF:C000:201", "192.0.2.1"),
        ("FE80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_an_address_has_one_spelling(spelled: str, expected: str) -> None:
    assert normal(spelled) == expected


def test_an_address_without_a_zone_is_of_every_zone() -> None:
    assert is_among("fe80::1%eth0", {"fe80::1"})
    assert is_among("fe80::1%eth0", {"fe80::1%eth0"})
    assert not is_among("fe80::1%eth1", {"fe80::1%eth0"})
    assert not is_among("fe80::2%eth0", {"fe80::1"})


@pytest.mark.parametrize(("address", "expected"), [("0.0.0.0", True), ("::", True), ("127.0.0.1", False)])
def test_all_addresses_of_a_machine(address: str, expected: bool) -> None:
    assert is_wildcard(address) == expected
