"""The lock on a stored state: two runs would write over what the other one has answered.

NAME.json.lock beside the file holds the process number of the run, and is locked (flock(2)) by it and by its observer,
which goes on writing for a moment after a run that was killed. The lock ends with the last of them, however they end.
"""

from pathlib import Path

from hilbridge.common.owner_lock import take_lock


def lock_state(path: Path) -> int:
    """Lock the stored state `path`, and return the descriptor that holds the lock until it is closed everywhere.

    ConfigurationError: another run keeps its state there. OSError: there can be no lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remedy = "end it, or give this bench a 'name' or a 'state' of its own"
    return take_lock(
        path.with_name(f"{path.name}.lock"),
        "",
        lambda owner: f"another run, process {owner}, keeps its state in {path}: {remedy}",
    )
