"""Set-ups that tests of several rooms share: a node that keeps what it hears."""

from hilbridge.frames.codec.frame import Frame


class Listener:
    """A node of a bus: `frames` are those that it has heard, `times` [ns] when."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.times: list[int] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)
        self.times.append(t)
