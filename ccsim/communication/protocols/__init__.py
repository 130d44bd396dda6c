"""One-way protocols as tables and as procedures, and conversions between them."""
