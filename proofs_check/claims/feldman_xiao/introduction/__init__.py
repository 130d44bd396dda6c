"""Claims of section 1: sample sizes and counts, metric entropy."""
