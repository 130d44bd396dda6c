"""The commands about many instances, and what is asked of each."""
