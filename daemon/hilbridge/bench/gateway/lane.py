"""The direction of a route: which frames of one bus it carries to the other, and under which identifier."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.isotp.address import address_of
from hilbridge.files.settings import BusSettings
from hilbridge.files.settings.gateway import ALL, MaskedIdentifier, RouteSettings
from hilbridge.files.settings.identifiers import IdentifierRange
from hilbridge.files.settings.units import UnitSettings
from hilbridge.frames.bus.gate import never_sent
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import Database
from hilbridge.frames.codec.frame import ERROR, EXTENDED, EXTENDED_MASK, REMOTE, STANDARD_MASK, Frame


@dataclass(frozen=True, slots=True)
class Lane:
    """Frames from bus `source` to bus `target`: those of `identifiers`, and those of `groups`, or all but `exclude`.

    `groups` are messages as (mask, matched) of the identifier with its flag. `shift` is added to an identifier.
    """

    source: str
    target: str
    everything: bool = False
    identifiers: tuple[IdentifierRange | MaskedIdentifier, ...] = ()
    groups: tuple[tuple[int, int], ...] = ()
    exclude: tuple[IdentifierRange, ...] = ()
    shift: int = 0
    own: Collection[int] = field(default=())
    """The identifiers (with their flag) that the bench itself sends on the target."""

    def carries(self, can_id: int) -> bool:
        """Return whether frames with this identifier (with its flag) are carried."""
        return self.chooses(can_id) and self.renamed(can_id) not in self.own

    def chooses(self, can_id: int) -> bool:
        """Return whether the route is meant for frames with this identifier (with its flag)."""
        identifier = can_id & EXTENDED_MASK
        if can_id & (REMOTE | ERROR) or any(identifier in one for one in self.exclude):
            return False
        if self.everything or any(identifier in one for one in self.identifiers):
            return True
        return any(can_id & mask == matched for mask, matched in self.groups)

    def renamed(self, can_id: int) -> int:
        """Return the identifier (with its flag) on the other bus; above 0x7FF it has 29 bits."""
        identifier = (can_id & EXTENDED_MASK) + self.shift
        return identifier | (EXTENDED if can_id & EXTENDED or identifier > STANDARD_MASK else 0)

    def rename(self, frame: Frame) -> Frame:
        """Return the frame as it is on the other bus."""
        return frame._replace(can_id=self.renamed(frame.can_id)) if self.shift else frame


def build_lane(
    settings: RouteSettings, bus: BusSettings, database: Database | None, own: Collection[int], place: KeyPath
) -> Lane:
    """Return the lane of a route from a bus; `database` describes its frames, `own` is what the other bus has already.

    What is never sent on the bus is not carried away from it either, under whatever identifier.

    ConfigurationError, with the key path: no such message, a J1939 message under another identifier, an identifier
    beyond 29 bits, frames that are never sent, or that the bench sends on the other bus itself.
    """
    never = tuple(never_sent(bus))
    identifiers: list[IdentifierRange | MaskedIdentifier] = []
    groups: list[tuple[int, int]] = []
    single: dict[int, int] = {}  # index in `frames` by an identifier (with its flag) that is named by itself
    lowest = 0
    for index, choice in enumerate(settings.choices):
        here = (*place, "frames", index)
        if isinstance(choice, str):
            if database is None:
                raise ConfigurationError(f"bus {settings.source!r} has no messages: neither a database nor 'raw'", here)
            message = compile_message(database.message(choice, here))
            if message.is_long:
                raise ConfigurationError(f"{choice} goes in packets of J1939, which a route carries as frames", here)
            if settings.identifier is not None and message.mask != ~0:
                raise ConfigurationError(f"{choice} has another identifier from each J1939 sender", (*place, "as"))
            groups.append((message.mask, message.matched))
            single[message.can_id] = index
            lowest = message.can_id & EXTENDED_MASK
            continue
        identifiers.append(choice)
        if isinstance(choice, IdentifierRange):
            lowest = choice.first
            if choice.first == choice.last:
                single |= {choice.first: index, choice.first | EXTENDED: index}
            if settings.identifier is not None and settings.identifier + choice.last - choice.first > EXTENDED_MASK:
                raise ConfigurationError(f"the last of {choice} would be beyond 29 bits", (*place, "as"))
    lane = Lane(
        settings.source,
        settings.target,
        settings.frames == ALL,
        tuple(identifiers),
        tuple(groups),
        (*settings.exclude, *never),
        0 if settings.identifier is None else settings.identifier - lowest,
        own,
    )
    for can_id, index in single.items():
        _require_free(lane, can_id, never, (*place, "frames", index))
    return lane


def build_unit_lanes(settings: RouteSettings, units: Sequence[UnitSettings]) -> tuple[Lane, Lane]:
    """Return the lanes of a route to control units: that of requests with their flow control, and that of answers."""
    addresses = [address_of(one) for unit in units for one in unit.addresses]
    requests = {can_id for one in addresses for can_id in (one.request_id, one.functional_id) if can_id is not None}
    answers = {one.response_id for one in addresses}
    exclude = tuple(settings.exclude)
    return (
        Lane(settings.source, settings.target, groups=_exactly(requests), exclude=exclude),
        Lane(settings.target, settings.source, groups=_exactly(answers), exclude=exclude),
    )


def _exactly(can_ids: Collection[int]) -> tuple[tuple[int, int], ...]:
    return tuple((~0, can_id) for can_id in sorted(can_ids))


def _require_free(lane: Lane, can_id: int, never: Sequence[IdentifierRange], place: KeyPath) -> None:
    """Refuse an identifier (with its flag) that never leaves its bus, or that the bench sends on the other one."""
    if any(can_id & EXTENDED_MASK in one for one in never):
        raise ConfigurationError(f"0x{can_id & EXTENDED_MASK:X} is never sent on bus {lane.source}", place)
    if lane.chooses(can_id) and lane.renamed(can_id) in lane.own:
        identifier = lane.renamed(can_id) & EXTENDED_MASK
        reason = f"the bench sends 0x{identifier:X} on bus {lane.target} itself: an identifier has one sender"
        raise ConfigurationError(reason, place)
