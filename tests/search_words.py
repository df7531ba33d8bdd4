"""Words that people type into the search of the site, and a page that it must find for each.

    python -m tests.search_words build/docs

asks the index of a built site as its page for searching does, without words such as "off", and names each word that
does not lead there.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

FOUND: Final = {
    "indicator": "docs/faq",
    "blinker": "docs/faq",
    "turn signal": "docs/faq",
    "ISO-TP": "docs/guides/own-unit",
    "raspberry": "docs/guides/raspberry-pi",
    "FAQ": "docs/faq",
    "glossary": "docs/glossary",
    "CANoe": "docs/beside",
    "CarCluster": "docs/beside",
    "python api": "docs/api",
    "VirtualBench": "docs/api",
    "lockstep": "docs/guides/lockstep",
    "campaign": "docs/guides/campaign",
    "OpenHTF": "docs/guides/openhtf",
    "Jumpstarter": "docs/guides/jumpstarter",
    "databroker": "docs/guides/vss",
    "KUKSA": "docs/guides/vss",
    "Vehicle Signal Specification": "docs/guides/vss",
    "FMU": "docs/guides/fmi",
    "co-simulation": "docs/guides/fmi",
    "LS-BUS": "docs/guides/fmi",
    "Robot Framework": "docs/guides/robot",
    "control socket": "config/reference/control",
    "JSON Schema": "config/reference/control",
    "BeamNG": "docs/guides/game",
    "checksum": "docs/guides/checksums",
    "ELM327": "docs/guides/scan-tool",
    "characteristic": "docs/guides/xcp",
    "STM32": "docs/guides/stm32",
    "GPIO": "docs/guides/pins",
    "pipx": "README",
    "concepts": "docs/concepts",
    "browser": "docs/try",
    "phone": "docs/faq",
    "odometer": "docs/faq",
    "Windows": "docs/faq",
    "bus-off": "docs/guides/troubleshooting",
}


def missed(site: Path) -> list[str]:
    """Return a line for each word whose page the index of a site does not have for all of its parts."""
    from sphinx.search.en import SearchEnglish

    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    language = SearchEnglish({})
    lines = []
    for words, page in FOUND.items():
        number = index["docnames"].index(page)
        for part in language.split(words):
            word = part.lower()
            if language.word_filter(word) and not any(
                number in _places(index, each) for each in {word, language.stem(word)}
            ):
                lines.append(f"{words!r} does not find {page}: {part!r} is not in its index")
    return lines


def _places(index: dict[str, Any], word: str) -> list[int]:
    """Return the numbers of the pages that have a word in text or title."""
    found: list[int] = []
    for kind in ("terms", "titleterms"):
        places = index[kind].get(word, [])
        found += [places] if isinstance(places, int) else places
    return found


if __name__ == "__main__":
    missing = missed(Path(sys.argv[1]))
    print(*missing, sep="\n", end="\n" if missing else "")
    sys.exit(bool(missing))
