"""Files of other projects through the program, and what comes of each.

    python -m tests.corpora databases [FOLDER ...]
    python -m tests.corpora logs [FOLDER ...]
    python -m tests.corpora odx FOLDER ...

Files of installed packages are found by themselves; a FOLDER has further ones, such as an unpacked source archive:

    pip download --no-deps --no-binary :all: cantools canmatrix

A table counts what is right, refused with a message, a loss that is told, and wrong; exit status 1 if one is wrong.
"""

import importlib
import sys
from pathlib import Path

KINDS = ("databases", "logs", "odx", "signals")


def main(words: list[str]) -> int:
    if not words or words[0] not in KINDS:
        print(__doc__)
        return 2
    module = importlib.import_module(f"tests.corpora.{words[0]}")
    return int(module.main([Path(one) for one in words[1:]]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
