"""The connection to the bench that a process runs.

Which socket is that of the process, the benches say themselves. Within the sandbox of the unit only those at the usual
place can be asked.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.socket_paths import running_sockets
from hilbridge.client.sync_client import Client
from hilbridge.client.talks import UnreachableError

_LISTENS: Final = 0x10000
"""__SO_ACCEPTCON among the flags of /proc/net/unix."""


def client_of(process: int) -> Client | None:
    """Return a connection to the bench of a process. None: it has no socket; UnreachableError: one does not answer."""
    silent: UnreachableError | None = None
    for path in dict.fromkeys([*_listening(process), *running_sockets()]):
        client = Client(path)
        try:
            if client.status("service")["service"]["process"] == process:
                return client
        except UnreachableError as error:
            if isinstance(error.__cause__, TimeoutError) or error.__cause__ is None:
                silent = error
        except (ConfigurationError, KeyError, TypeError):
            pass  # of another version, or no bench
        client.close()
    if silent is not None:
        raise silent
    return None


def _listening(process: int) -> list[Path]:
    """Return where the sockets of a process listen, as the kernel says it; none where this user may not know.

    No other socket is tried: to connect is to disturb a stranger.
    """
    folder, held = Path("/proc", str(process)), set()
    try:
        for each in (folder / "fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                held.add(str(each.readlink()))
        lines = (folder / "net/unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    except OSError:
        return []
    rows = [fields for line in lines if len(fields := line.split(maxsplit=7)) == 8]
    return [
        Path(path)
        for *_, flags, _type, _state, inode, path in rows
        if int(flags, 16) & _LISTENS and path.startswith("/") and f"socket:[{inode}]" in held
    ]
