"""Prints a bill of materials of the Python environment that runs it, as CycloneDX 1.6.

    ENVIRONMENT/bin/python systemd/sbom.py >sbom.cdx.json

Every installed distribution is a component with name, version, purl, licence as its metadata says, and what it depends
on. What a wheel brings along inside itself stands in the wheel's own bill, `*.dist-info/sboms`, if its maker wrote one.
Nothing of the machine or of the time is in it: the same environment gives the same bytes.
"""

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from typing import Any


def canonical(name: str) -> str:
    """Return a distribution's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licences(distribution: Distribution) -> list[dict[str, Any]]:
    """Return what the metadata says: an SPDX expression, else classifiers, else the first line of free text."""
    metadata = distribution.metadata
    for expression in metadata.get_all("License-Expression", []):
        return [{"expression": expression}]
    classifiers = [line.split(" :: ") for line in metadata.get_all("Classifier", []) if line.startswith("License :: ")]
    names = sorted({parts[-1] for parts in classifiers} - {"OSI Approved", "DFSG approved"})
    names = names or [text.splitlines()[0].strip() for text in metadata.get_all("License", []) if text]
    return [{"license": {"name": name}} for name in names if name]


def reference(distribution: Distribution) -> str:
    """Return the package URL of a distribution."""
    return f"pkg:pypi/{canonical(distribution.name)}@{distribution.version}"


def bill(installed: dict[str, Distribution], subject: str = "hilbridge") -> dict[str, Any]:
    """Return the bill of these distributions, by canonical name; `subject` is what it is a bill of."""
    components = {
        name: {
            "type": "application" if name == subject else "library",
            "bom-ref": reference(each),
            "name": each.name,
            "version": each.version,
            "purl": reference(each),
            "licenses": licences(each),
        }
        for name, each in sorted(installed.items())
    }
    needs = {
        reference(each): sorted(
            {
                reference(installed[name])
                for line in each.requires or []
                if "extra ==" not in line and (name := canonical(re.split(r"[^\w.-]", line)[0])) in installed
            }
        )
        for _, each in sorted(installed.items())
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": components.pop(subject)},
        "components": list(components.values()),
        "dependencies": [{"ref": ref, "dependsOn": others} for ref, others in needs.items()],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(bill({canonical(each.name): each for each in distributions()}), indent=1) + "\n")
