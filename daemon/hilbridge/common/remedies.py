"""The commands that remedy a state, for every text that names one."""


def arm_remedy(bus: str) -> str:
    """Return the command that lets a bus transmit."""
    return f"hilbridge ctl arm {bus}"
