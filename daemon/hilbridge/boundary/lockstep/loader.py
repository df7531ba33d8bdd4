"""Runs `main` of a shared library in this process, a program of its own: loader.py PATH NAME [ARGUMENT ...]."""

import ctypes
import sys


def run(path: str, words: list[str]) -> int:
    """Load a library and call its `main` with these words; return what that returns. 127: it cannot."""
    try:
        library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        main = library.main
    except OSError as error:
        sys.stderr.write(f"{words[0]} cannot be loaded: {str(error).replace(path, words[0])}\n")
        return 127
    except AttributeError:
        sys.stderr.write(f"{words[0]} has no function 'main' that others can call\n")
        return 127
    arguments = (ctypes.c_char_p * (len(words) + 1))(*(word.encode() for word in words))
    return int(main(len(words), arguments))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]) & 0xFF)
