"""Declared parameters: the type, range and meaning of a field, for readers, commands and help."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError


@dataclass(frozen=True)
class Parameter:
    """The meaning and range of a field: ``Annotated[Fraction, Parameter("...", above=0)]``."""

    meaning: str  # a noun phrase, for help and documentation
    _: KW_ONLY
    above: int | str | None = None  # above and below exclude the ends, least and most do not
    least: int | str | None = None
    below: int | str | None = None
    most: int | str | None = None
    choices: tuple[str | int, ...] = ()  # all values of a text or a number
    called: str = ""  # name on the command line, if it is not that of the field

    def __repr__(self) -> str:
        return f"Parameter({show_value(getattr(self, 'meaning', ''))})"

    @property
    def rule(self) -> str:
        """The range as text that follows "must be"; empty if there is no range."""
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        if None not in (self.least, self.most):
            return f"between {self.least} and {self.most}"
        ends = {
            f"above {self.above}": self.above,
            f"at least {self.least}": self.least,
            f"below {self.below}": self.below,
            f"at most {self.most}": self.most,
        }
        return " and ".join(text for text, end in ends.items() if end is not None).replace(
            "above 0", "positive"
        )

    def check(self, value: Any, name: str) -> Any:  # noqa: ANN401 - of any type
        """Return a value of the right type after checking its range; None stands for no value."""
        if value is not None and not self._holds(value):
            raise DomainError(f"{name} must be {self.rule}, not {show_value(value)}")
        return value

    def _holds(self, value: Any) -> bool:  # noqa: ANN401 - of any type
        if self.choices:
            return value in self.choices
        return (
            (self.above is None or value > Fraction(self.above))
            and (self.least is None or value >= Fraction(self.least))
            and (self.below is None or value < Fraction(self.below))
            and (self.most is None or value <= Fraction(self.most))
        )
