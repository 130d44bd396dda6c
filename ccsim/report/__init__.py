"""Pages that show a certificate, or what claims came to, to whoever has a browser."""
