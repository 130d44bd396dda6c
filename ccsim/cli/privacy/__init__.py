"""The subcommands of privacy: its auditor, private learning and release of data."""
