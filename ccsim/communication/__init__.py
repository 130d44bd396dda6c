"""One-way communication: problems, protocols as exact tables, their error, and exact optima."""
