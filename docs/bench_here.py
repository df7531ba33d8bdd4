"""Shows the folder of `make web` on a page of the documentation site, by a directive of Sphinx.

    ```{bench-here}
    ```

The folder is copied to `bench/` of the site. Where it has not been built the page says so, and nothing is a link to it.
"""

import shutil
from pathlib import Path
from time import localtime, strftime
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).parents[1] / "build/web"

ABSENT = "This copy of the documentation was built without the bench: make web before make docs puts it here."

BUTTON = """<div class="bench-here" data-bench="{address}">
<p><button type="button" hidden>Start the bench here</button>
<a href="{address}">Open it on a page of its own</a>, as is better on a phone.</p>
</div>
"""


class BenchHere(SphinxDirective):
    """A button that starts the bench in a frame, its size and its age; nothing is loaded before."""

    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # the folder comes and goes without a change of the page
        folder = Path(self.config.bench_folder)
        program = folder / "hilbridge.zip"
        if not program.exists():
            return [nodes.warning("", nodes.paragraph(text=ABSENT))]
        loaded = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        built = strftime("%Y-%m-%d", localtime(program.stat().st_mtime))
        text = f"It loads {loaded / 1e6:.0f} MB once, from this site alone. Built {built}."
        depth = self.env.docname.count("/")
        address = f"{'../' * depth}bench/index.html"
        return [nodes.raw("", BUTTON.format(address=address), format="html"), nodes.paragraph(text=text)]


def copy_bench(app: Sphinx, exception: Exception | None) -> None:
    """Put the folder into the site as it is now, or take it away."""
    source, target = Path(app.config.bench_folder), Path(app.outdir, "bench")
    if exception is None and app.builder.format == "html":
        shutil.rmtree(target, ignore_errors=True)
        if (source / "hilbridge.zip").exists():
            shutil.copytree(source, target)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("bench_folder", str(FOLDER), "env", [str])
    app.add_directive("bench-here", BenchHere)
    app.add_js_file("bench.js", loading_method="defer")
    app.connect("build-finished", copy_bench)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
