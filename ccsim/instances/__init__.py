"""Readers of INSTANCE texts and of files of hypotheses, records and protocols."""

from ccsim.classes.given import parse_class
from ccsim.communication.given import parse_instance, parse_problem
from ccsim.texts.calls import check_keys, look_up, parse_call

__all__ = [
    "check_keys",
    "look_up",
    "parse_call",
    "parse_class",
    "parse_instance",
    "parse_problem",
]
