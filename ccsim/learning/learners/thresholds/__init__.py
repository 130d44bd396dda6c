"""Private learners of thresholds over long domains, and how many examples they need."""
