"""Formulas of the pages, typeset by KaTeX in the reader's browser, from files of the site."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line, as TeX."""
    writer.body.append(f'<span class="math">{writer.encode(node.astext())}</span>')
    raise nodes.SkipNode


def visit_display(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula, as TeX."""
    writer.body.append(f'<div class="math">{writer.encode(node.astext())}</div>\n')
    raise nodes.SkipNode


def load_katex(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Load KaTeX on the pages that have formulas."""
    if tree and any(next(tree.findall(kind), None) for kind in (nodes.math, nodes.math_block)):
        app.add_css_file("katex/katex.min.css")
        app.add_js_file("katex/katex.min.js", loading_method="defer")
        app.add_js_file("formulas.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx how to write formulas."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.connect("html-page-context", load_katex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
