"""The grammar of a service: one file each, a class with an identifier, its sessions and sub-functions.

    class TesterPresent(Service):
        sid = 0x3E
        subfunctions = frozenset((0,))

        def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
            ...

The server has checked service, session and sub-function (server.py) and puts service and sub-function in front of
the answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias

from hilbridge.diagnostics.refusal import INCORRECT_LENGTH, SECURITY_ACCESS_DENIED, Refusal
from hilbridge.diagnostics.uds.session import ALL, Session

Later: TypeAlias = Callable[[int], bytes | None]
"""Asked with the time [ns] in every tick until it gives the answer or refuses; the server says "response pending"."""

Answer: TypeAlias = bytes | Later


class Service(ABC):
    """`subfunctions` is empty for a service without sub-function; `subfunction` is 0 there."""

    sid: ClassVar[int]
    sessions: ClassVar[frozenset[int]] = ALL
    subfunctions: frozenset[int] = frozenset()

    def __init__(self, session: Session) -> None:
        self.session: Final = session

    @abstractmethod
    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        """What follows service and sub-function in the positive response. Refusal: the negative one."""

    def require_length(self, data: bytes, length: int) -> None:
        if len(data) != length:
            raise Refusal(INCORRECT_LENGTH)

    def require_security(self, level: int) -> None:
        if not self.session.permits(level):
            raise Refusal(SECURITY_ACCESS_DENIED)
