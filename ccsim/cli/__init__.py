"""The ``ccsim`` command."""
