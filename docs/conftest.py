"""What holds no doctests here: the site's own code, its pictures, the pages that it writes."""

collect_ignore_glob = ["*.py", "gallery/*", "generated/*"]
