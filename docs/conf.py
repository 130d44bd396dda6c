"""The documentation site: ``sphinx-build -W docs build/site``.

Pages that are written at each build, and the navigation, come from `site_pages`.
"""

import logging
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]  # of a checkout; what is installed serves elsewhere

import ccsim  # noqa: E402 - after its place is known

project = "ccsim"
author = "The ccsim developers"
version = release = ccsim.__version__
nitpicky = True
default_role = "code"  # names in single backticks
exclude_patterns = ["gallery/**", "**/.ipynb_checkpoints"]
extensions = [
    "myst_nb",  # Markdown, and notebooks that are run
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_click",
    "sphinx_gallery.gen_gallery",
    "formulas",
    "site_pages",
    "reference_entries",
    "atlas_links",
]

html_theme = "pydata_sphinx_theme"
html_title = "ccsim"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
WITHOUT_SIDEBAR = ("index", "installation", "claims", "errata", "generated/claims/**")
html_sidebars = {page: [] for page in WITHOUT_SIDEBAR}
html_show_search_summary = False  # summaries are fetched, which browsers refuse from a disk
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "claims": [], "errata": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}
copyright = "the ccsim developers"  # noqa: A001 - the name that sphinx reads

html_math_renderer = "katex"
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # `reference_entries` writes them as the source states them
maximum_signature_line_length = 88
napoleon_preprocess_types = True
napoleon_use_rtype = False
suppress_warnings = ["ref.python"]  # such a word may be the name of several attributes

sphinx_gallery_conf = {
    "examples_dirs": ["gallery"],
    "gallery_dirs": ["generated/gallery"],
    "within_subsection_order": "FileNameSortKey",
    "backreferences_dir": None,
    "download_all_examples": False,
    "notebook_extensions": set(),
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": float("inf"),
    "abort_on_example_error": True,
}
logging.getLogger("matplotlib").setLevel(logging.ERROR)
