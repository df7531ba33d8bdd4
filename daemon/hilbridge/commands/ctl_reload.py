"""`hilbridge ctl reload`: wait for the outcome of a reload, of the bench of a name or of a process.

The unit names its process, `--process $MAINPID`, because a bench file that is wrong may not say which bench it is of.
Which socket is that of the process, the benches say themselves. Within the sandbox of the unit only those at the usual
place can be asked.
"""

import argparse
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.terminal import printable
from hilbridge.boundary.control.socket_paths import running_sockets
from hilbridge.boundary.observe.output import is_journal
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.client.talks import UnreachableError

_LISTENS: Final = 0x10000
"""__SO_ACCEPTCON among the flags of /proc/net/unix."""


def reload_process(process: int, *, as_json: bool) -> int:
    """Have the bench of a process reloaded and wait; one without a control socket gets the signal, and no wait."""
    client = _client_of(process)
    if client is not None:
        with client:
            return report(client.carry_out(talks.reload()), as_json=as_json)
    try:
        os.kill(process, signal.SIGHUP)
    except OSError as error:
        raise ConfigurationError(f"process {process} cannot be told: {error.strerror}", may_pass=True) from None
    sys.stderr.write(f"process {process} has no control socket: it reads its file, and the log has the outcome\n")
    return 0


def reload_bench(bench: AnyClient, options: argparse.Namespace) -> int:
    """Have a bench reloaded and wait."""
    return report(bench.carry_out(talks.reload()), as_json=options.json)


def report(outcome: dict[str, Any], *, as_json: bool) -> int:
    """Print the outcome of a reload and return the exit status."""
    refused = outcome["outcome"] == "refused"
    if as_json:
        print(json.dumps(outcome, indent=2))
    elif refused:
        priority = "<3>" if is_journal(2) else ""
        sys.stderr.write(f"{priority}reload refused: {printable(str(outcome['reason']))}\n")
    else:
        print(f"reloaded in {outcome['took_ms']} ms")
    return 1 if refused else 0


def _client_of(process: int) -> Client | None:
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
    fields = [each for line in lines if len(each := line.split(maxsplit=7)) == 8]
    return [
        Path(path)
        for *_, flags, _type, _state, inode, path in fields
        if int(flags, 16) & _LISTENS and path.startswith("/") and f"socket:[{inode}]" in held
    ]
