"""What ``ccsim audit`` is asked of a mechanism."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ccsim.appearance import one_line
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy import QualityNeighbours


@one_line
@dataclass(slots=True)
class Asked:
    """What is asked of a mechanism, beside the class; makers take the parameters out."""

    epsilon: Epsilon
    delta: Fraction
    given: dict[str, Fraction] = field(default_factory=dict)  # parameters of the mechanism by name
    variant: str | None = None
    threshold: str | None = None
    samples: int | None = None
    most: int | None = None  # largest quality, where all functions are asked for
    pairs: list[Any] | None = None  # pairs of quality functions
    growth: int | None = None
    any_size: bool = False

    def integer(self, key: str, otherwise: int) -> int:
        """Take a parameter that is an integer."""
        value = self.given.pop(key, Fraction(otherwise))
        if value.denominator != 1:
            raise DomainError(f"{key} must be an integer, not {value}")
        return int(value)

    def taken(self, option: str) -> str | None:
        """Take an option that only some mechanisms have."""
        value: str | None = getattr(self, option)
        setattr(self, option, None)
        return value

    def qualities(self, solutions: int, growth: int | None) -> QualityNeighbours | None:
        """Take the quality functions that are compared, if some are asked for."""
        most, pairs = self.most, self.pairs
        self.most = self.pairs = None
        if pairs is not None:
            found = QualityNeighbours.of_pairs(pairs, growth)
            if (width := len(found.functions[0])) != solutions:
                raise DomainError(
                    f"quality functions must have {solutions} values, one for each concept, "
                    f"not {width}"
                )
            return found
        return None if most is None else QualityNeighbours.all_functions(solutions, most, growth)

    def refuse_the_rest(self, mechanism: str) -> None:
        """Refuse what the mechanism did not take."""
        options = ("variant", "threshold", "growth")
        left = [f"option --{name}" for name in options if getattr(self, name) is not None]
        left += ["option --any-size"] * self.any_size
        left += ["qualities"] * (self.most is not None or self.pairs is not None)
        left += [f"parameter {key}" for key in self.given]
        if left:
            raise DomainError(f"{mechanism} has no {', '.join(left)}")
