"""The documented packages: the names that their `__all__` lists are public, all others internal.

`site_pages` writes a page of each; `tests/test_structure.py` holds their docstrings to a form.
"""

DOCUMENTED = (
    "ccsim",
    "ccsim.families",
    "ccsim.classes",
    "ccsim.dimensions",
    "ccsim.communication",
    "ccsim.representation",
    "ccsim.learning",
    "ccsim.privacy",
    "ccsim.release",
    "ccsim.information",
    "ccsim.exact",
    "ccsim.programs",
    "ccsim.instances",
    "ccsim.interchange",
    "ccsim.pictures",
    "ccsim.kernel",
    "ccsim.errors",
    "protocols",
)
