"""One-way protocols as tables and as procedures, and what is done with them."""
