"""The search for shattered sets by the numbers of rows in their cells."""
