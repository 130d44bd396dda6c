"""The atlas: what is known of every class on few points, found by the engines and kept in a file."""
