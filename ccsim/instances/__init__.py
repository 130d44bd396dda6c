"""What a text or a file names: INSTANCE texts, and tables read from files."""

from ccsim.instances.text import (
    FAMILIES,
    Family,
    class_of_problem,
    parse_class,
    parse_instance,
    parse_problem,
    problem_from_table,
)
from ccsim.texts.calls import check_keys, look_up, parse_call

__all__ = [
    "FAMILIES",
    "Family",
    "check_keys",
    "class_of_problem",
    "look_up",
    "parse_call",
    "parse_class",
    "parse_instance",
    "parse_problem",
    "problem_from_table",
]
