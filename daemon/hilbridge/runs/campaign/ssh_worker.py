"""A worker of Dask on another machine, which a session of SSH starts; it ends with its standard input.

python -m hilbridge.runs.campaign.ssh_worker    a line of JSON in: scheduler, name, keys; a line out when it is there
"""

import asyncio
import json
import sys
import tempfile
from typing import Final

from distributed import Nanny
from distributed.security import Security

READY: Final = b"ready\n"


async def work() -> None:
    """Be a worker with a thread for each processor, and start it again when its process dies."""
    told = json.loads(sys.stdin.buffer.readline())
    security = Security(require_encryption=True, **told["tls"])  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory(prefix="hilbridge-worker-") as folder:
        async with Nanny(told["scheduler"], name=told["name"], security=security, local_directory=folder):
            sys.stdout.buffer.write(READY)
            sys.stdout.buffer.flush()
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(work())
