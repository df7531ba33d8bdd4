"""labgrid's exporter with benches among its resources.

    python -m hilbridge.faces.labgrid.exporter FILE

The options are those of `labgrid-exporter`, which loads no modules of others itself.
"""

from typing import Any

import attr
from labgrid.remote import exporter

from hilbridge.faces.labgrid.resources import HilbridgeBench, boot


@attr.s(eq=False)
class BenchExport(exporter.ResourceExport):
    """The export of a bench: available while it runs, with the path of its control socket."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.local = HilbridgeBench(target=None, name=None, **self.local_params)  # type: ignore[call-arg]
        self.data["cls"] = "NetworkHilbridgeBench"

    def _get_params(self) -> dict[str, Any]:
        return {"host": self.host, "control": self.local.control, "extra": {"boot": boot()}}


exporter.exports["HilbridgeBench"] = BenchExport

if __name__ == "__main__":
    exporter.main()
