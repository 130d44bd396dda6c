"""``python -m ccsim`` is the ``ccsim`` command."""

from ccsim.cli.main import entry

if __name__ == "__main__":
    entry()
