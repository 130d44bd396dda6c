"""The subcommand that writes what other programs read."""
