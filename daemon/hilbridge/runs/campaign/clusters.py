"""Ways to a Dask cluster: one that is there, or workers that are started for a campaign by SLURM or over SSH.

Of a cluster that is started here the scheduler is in this process, and ends with it. It makes keys for this one
campaign: workers and scheduler speak TLS, and talk only to those who have them.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from distributed import Client
from distributed.security import Security

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.runs.campaign.slurm import started_by_slurm
from hilbridge.runs.campaign.ssh import started_over_ssh

_TIMEOUT: Final = 5
"""[s] for a scheduler to answer."""


@contextmanager
def connected(kind: str, place: str, folder: Path, workers: int | None) -> Iterator[Client]:
    """Connect to a cluster for a block. `folder`: one that workers may share; `workers`: runs at a time.

    ConfigurationError: there is none, or it cannot be started.
    """
    logging.disable(logging.ERROR)  # Dask's tracebacks of what has gone: its reason is told in a sentence
    if kind == "dask":
        with _client(f"tcp:{place}", None, f"no scheduler answers at {place.removeprefix('//')}") as client:
            yield client
        return
    security = Security.temporary()  # type: ignore[no-untyped-call]
    if kind == "slurm":
        starting = started_by_slurm(Path(place), folder, workers, security)
    else:
        starting = started_over_ssh(place, security)
    with starting as cluster, _client(cluster, security, "the scheduler does not answer") as client:
        yield client


def _client(address: Any, security: Any, otherwise: str) -> Client:
    try:
        return Client(address, timeout=_TIMEOUT, set_as_default=False, security=security)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise ConfigurationError(f"{otherwise}: {error}") from None
