"""The subcommands for privacy: the auditor, private learning, and release of data."""
