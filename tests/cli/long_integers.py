"""Reading of the JSON of commands, in which integers beyond 2^53 are texts."""

import json

__all__ = ["read_long"]


def read_long(text):
    """Return the value of a JSON text, with texts of long integers converted to integers."""
    return _long(json.loads(text))


def _long(value):
    if isinstance(value, dict):
        return {key: _long(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_long(inside) for inside in value]
    if isinstance(value, str) and value.lstrip("-").isdigit() and abs(int(value)) > 2**53:
        return int(value)
    return value
