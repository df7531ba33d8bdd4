"""Errors of the YAML parser, in messages that say what to change."""

import re
from typing import Final

import yaml

_SENTENCES: Final = (
    (r"found character '\\t' that cannot start any token", "a tab; YAML is indented with spaces only"),
    (r"found a tab character", "a tab; YAML is indented with spaces only"),
    (
        r"found character '(.+)' that cannot start any token",
        r"a value cannot begin with \1; put it in quotes if it is text",
    ),
    (
        r"mapping values are not allowed here",
        "unexpected ':'; is a ':' missing on the line above, or the indentation wrong? Text with ': ' needs quotes",
    ),
    (r"could not find expected ':'", "a ':' is missing after the key"),
    (r"expected <block end>, but found '<scalar>'", "something follows a complete value; is a quote or ',' missing?"),
    (r"expected <block end>, but found '-'", "a list item '-' where a key is expected; check the indentation"),
    (
        r"expected <block end>, but found .*",
        "this line does not line up with the lines above; keys of one level begin in the same column",
    ),
    (r"expected ',' or '\]', but got .*", "a ',' or ']' is missing in the list"),
    (r"expected ',' or '\}', but got .*", "a ',' or '}' is missing"),
    (r"found unexpected end of stream", "the quote is never closed"),
    (r"found unknown escape character .*", r"'\\' begins an escape inside double quotes; write '\\\\' for one '\\'"),
    (r"found undefined tag handle .*", "tags such as '!name' are not used here; write the value without it"),
)


def explain(error: yaml.MarkedYAMLError) -> tuple[int, str]:
    """Return the line (from 1) and the reason of a syntax error."""
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    problem = error.problem or error.context or "not YAML"
    for pattern, sentence in _SENTENCES:
        if match := re.fullmatch(pattern, problem):
            problem = match.expand(sentence)
            break
    if error.context_mark and error.context_mark.line + 1 != line:
        problem += f" (it belongs to what begins on line {error.context_mark.line + 1})"
    return line, problem
