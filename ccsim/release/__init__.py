"""Private release of data: what it needs, and mechanisms that do it."""

from ccsim.release.lower_bound import ReleaseBound, release_lower_bound

__all__ = [
    "ReleaseBound",
    "release_lower_bound",
]
