"""The kinds of code that a file can name: each with the group of entry points in which packages declare theirs.

    hilbridge_blocks, hilbridge_components    classes of a vehicle's parts
    hilbridge_lockstep                        classes of units under test
    hilbridge.parts                           objects: parts of a bench
    hilbridge_checksums, hilbridge_data, hilbridge_routines, hilbridge_keys, hilbridge_authentications,
    hilbridge_activations                     functions

What a file names is looked at before anything is called: a class has its base and its methods, a function takes the
arguments that it will get.
"""

import inspect
from typing import Any, Final, NamedTuple


class Kind(NamedTuple):
    """A kind of code.

    `arguments`: those that a function is called with; without any it is a class, derived from `base`, with `methods`;
    or an object, of the class `instance`.
    """

    group: str
    arguments: tuple[str, ...] = ()
    base: type = object
    methods: tuple[str, ...] = ()
    instance: type | None = None

    def fault_of(self, found: object, name: str) -> str | None:
        """Return why something is not of this kind, and call nothing of it; None: it is."""
        if self.instance is not None:
            return None if isinstance(found, self.instance) else f"{name} is no {self.instance.__name__}"
        if self.arguments:
            if not callable(found) or isinstance(found, type):
                return f"has no function {name}"
            return None if _takes(found, len(self.arguments)) else f"{name} does not take ({', '.join(self.arguments)})"
        if not isinstance(found, type) or not issubclass(found, self.base):
            of_base = "" if self.base is object else f" that is derived from vehiclesim.{self.base.__name__}"
            return f"has no class {name}{of_base}"
        missing = [method for method in self.methods if not callable(getattr(found, method, None))]
        return f"{name} has no method {missing[0]}" if missing else None


CHECKSUM: Final = Kind("hilbridge_checksums", ("bytes", "identifier", "count"))
DATA: Final = Kind("hilbridge_data", ("value",))
ROUTINE: Final = Kind("hilbridge_routines", ("value", "function", "option"))
KEY: Final = Kind("hilbridge_keys", ("level", "seed"))
AUTHENTICATION: Final = Kind("hilbridge_authentications", ("step", "head", "parameters", "challenge"))
ACTIVATION: Final = Kind("hilbridge_activations", ("source", "type", "data"))
LOCKSTEP: Final = Kind("hilbridge_lockstep", methods=("receive", "tick"))


def _takes(function: Any, count: int) -> bool:
    """Return whether a function can be called with so many arguments; one in C that does not say may."""
    try:
        inspect.signature(function).bind(*(None,) * count)
    except ValueError:
        return True
    except TypeError:
        return False
    return True
