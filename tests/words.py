"""The words of docstrings and comments: first words and phrases that CONTRIBUTING (Words) does without.

    python -m tests.words            checks the sources of the product; exit status 1 with every place

A docstring begins with a verb or a definition. Phrases are those that readers stumbled over, each with what to write.
"""

import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]

SOURCES: Final = ("daemon/hilbridge", "sim/vehiclesim")

FIRST_WORDS: Final = ("What", "Of", "Who", "Whose")
"""Words with which no docstring begins."""

PHRASES: Final = {
    r"[Nn]obody": "no one, nothing",
    r"[Ss]omebody": "someone, another program",
    r"[Ww]hoever": "anyone who, the user who",
    r"(that|which) (is|are) none": "an invalid ..., another ...",
    r"of none of": "from outside",
    r"in words": "as text, as a message",
    r"(comes?|came|coming) of": "results from",
    r"or then": "...; 130 after Ctrl-C",
    r"(stands?|stood) (in(?! for)|there|here|beside|behind|above|over|below|the wrong)": "is, are",
    r"as (it|they) stands?": "as it is",
    r"where (it|they) stands?": "where it is",
}
"""Patterns of phrases, and what to write in their place."""

_PHRASE: Final = re.compile("|".join(rf"\b(?:{phrase})\b" for phrase in PHRASES))
_QUOTED: Final = re.compile(r"`[^`]*`|\"[^\"\n]*\"(?=[\s.,;:)])")


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of modules, classes, functions and of names, each with the line in which it begins."""
    for node in ast.walk(tree):
        found = getattr(node, "body", None)
        body: list[ast.stmt] = found if isinstance(found, list) else []
        for place, one in enumerate(body):
            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                continue
            named = place and isinstance(body[place - 1], ast.Assign | ast.AnnAssign)
            if isinstance(one.value.value, str) and (named or not place):
                yield one.lineno, one.value.value


def offences(path: str, text: str) -> Iterator[str]:
    """Yield the places of a module whose words are to be mended."""
    places = list(docstrings(ast.parse(text)))
    for line, words in places:
        if words.split(maxsplit=1)[:1] and words.split(maxsplit=1)[0] in FIRST_WORDS:
            yield f"{path}:{line}: begins with {words.split(maxsplit=1)[0]!r}: a verb or a definition"
    tokens = tokenize.generate_tokens(iter(text.splitlines(keepends=True)).__next__)
    places += [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    for line, words in places:
        for number, row in enumerate(_QUOTED.sub("", words).split("\n")):
            for found in _PHRASE.finditer(row):
                meant = next(text for phrase, text in PHRASES.items() if re.match(phrase, row[found.start() :]))
                yield f"{path}:{line + number}: {found[0]!r}: {meant}"


def all_offences() -> list[str]:
    """Return the places of the product."""
    found: list[str] = []
    for root in SOURCES:
        for file in sorted((CHECKOUT / root).rglob("*.py")):
            found += offences(str(file.relative_to(CHECKOUT)), file.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Print every place."""
    wrong = all_offences()
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
