"""What is installed of the dependencies of hilbridge, beside the lower bounds that it declares.

    ENVIRONMENT/bin/python tests/packaging/lower_bounds.py lowest-direct|highest EXTRA...

Prints the versions. With `lowest-direct` each must be its lower bound: one that another package raises is never tried.
"""

import importlib.metadata
import re
import sys


def numbers(version: str) -> list[int]:
    """Return the numbers of a version without the zeros at its end: 4 is 4.0.0."""
    found = [int(each) for each in re.findall(r"\d+", version)]
    while found and not found[-1]:
        found.pop()
    return found


def main(resolution: str, *extras: str) -> None:
    """Compare what is installed with what is declared, of these extras and without one."""
    wrong = []
    for requirement in importlib.metadata.requires("hilbridge") or []:
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        if extra is not None and extra[1] not in extras:
            continue
        declared = re.match(r"([\w.-]+)[^;]*?>=([\d.]+)", requirement)
        if declared is None or "<" not in requirement:
            sys.exit(f"not between two versions: {requirement}")
        installed = importlib.metadata.version(declared[1])
        print(f"{declared[1]} {installed}", end=", ")
        if resolution == "lowest-direct" and numbers(installed) != numbers(declared[2]):
            wrong.append(f"{requirement}: {installed} is the lowest that can be installed with all others")
    print()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
