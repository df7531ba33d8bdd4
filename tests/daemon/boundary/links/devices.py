"""What scan tools talk to in the tests of their ways in."""


class Echo:
    """Says everything twice."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.heard = b""
        self.times: list[int] = []

    def feed(self, data: bytes, t: int) -> None:
        self.heard += data
        self.output += 2 * data
        self.times.append(t)
