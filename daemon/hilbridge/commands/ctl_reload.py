"""`hilbridge ctl reload`: wait for the outcome of a reload, of the bench of a name or of a process.

The unit names its process, `--process $MAINPID`, because a bench file that is wrong may not say which bench it is of.
"""

import argparse
import json
import os
import signal
import sys
from typing import Any

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.terminal import printable
from hilbridge.boundary.observe.output import is_journal
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient
from hilbridge.commands.process_client import client_of


def reload_process(process: int, *, as_json: bool) -> int:
    """Have the bench of a process reloaded and wait; one without a control socket gets the signal, and no wait."""
    client = client_of(process)
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
