"""Checksum functions for the tests, as a user would write them."""

number = 5


def weighted(data: bytes, identifier: int, count: int) -> int:
    return sum(position * byte for position, byte in enumerate(data, 1)) + identifier + 3 * count


def failing(data: bytes, identifier: int, count: int) -> int:
    return 1 // (1 - count)


def text(data: bytes, identifier: int, count: int) -> str:
    return "checksum"
