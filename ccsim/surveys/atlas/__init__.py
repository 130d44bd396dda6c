"""The atlas: what is known of every class on few points, kept in a file that is shipped."""
