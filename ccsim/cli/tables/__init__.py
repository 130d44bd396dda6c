"""The subcommands about tables of records: learning from one, and predicting another."""
