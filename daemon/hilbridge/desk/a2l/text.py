"""Words of an A2L file: strings and numbers."""


def number(value: float) -> str:
    """Return a number, with as many digits as the values of a bench have."""
    return f"{value:.12g}"


def text(words: str) -> str:
    """Return a string: in quotes, on one line."""
    line = " ".join(words.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{line}"'
