"""Private learning from a table of records: rules that apply to other records."""

from ccsim.learning.rules.learn import LEARNERS, RuleChoice, RuleSet, learn_rule, rules_of
from ccsim.learning.rules.model import RuleModel, read_model
from ccsim.learning.rules.rule import Between, Column, Numbers, OneOf, Rule, Values, column_of

__all__ = [
    "LEARNERS",
    "Between",
    "Column",
    "Numbers",
    "OneOf",
    "Rule",
    "RuleChoice",
    "RuleModel",
    "RuleSet",
    "Values",
    "column_of",
    "learn_rule",
    "read_model",
    "rules_of",
]
