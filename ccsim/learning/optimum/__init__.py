"""The best private learner of a tiny class, by linear programs."""
