"""``python -m tests.documents.store_outputs``: run the notebooks and store their outputs.

Readers on a code host see the stored outputs; the site runs the notebooks again.
"""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
MOST_HTML = 5000  # characters; longer HTML contains a picture, which is also an output of its own


def store(path):
    """Run a notebook and store its outputs, without metadata that differs between runs."""
    notebook = nbformat.read(path, 4)
    kept = dict(notebook.metadata)
    NotebookClient(notebook, resources={"metadata": {"path": path.parent}}).execute()
    notebook.metadata = kept
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if len(data.get("text/html", "")) > MOST_HTML:
                del data["text/html"]
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for each in sorted(FOLDER.glob("*.ipynb")):
        store(each)
