"""Minimax errors for a number of bits in four models, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar, Self

from ccsim.appearance import counted, in_short, in_words
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.answer import (
    about_instance,
    data_frame,
    html_table,
    picture_of,
    question_of,
    with_picture,
)
from ccsim.certificates.envelope import encode_fraction, encode_integers, weights_of
from ccsim.communication.distributional import nothing_proved
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.simultaneous import SimultaneousProtocol
from ccsim.communication.protocols.symmetric import SymmetricMixture
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.communication.protocols.two_way import binary_tree
from ccsim.data import frozen
from ccsim.errors import CertificateError

MODELS = ("one-way", "one-way-from-bob", "two-way", "simultaneous")
"""Models of communication."""
_SHORT = 10**4  # largest denominator of an end of an interval that is printed exactly
_UNIT = 10**6  # of the decimals of the other ends
OneWay = PublicCoinProtocol | SymmetricProtocol | PrivateCoinProtocol | DeterministicProtocol

Mixed = SymmetricMixture | OneWay


@frozen
class InteractiveErrorResult(Answer[Fraction]):
    """The minimax error for a number of bits in a model, or bounds on it, with both proofs.

    Every bit that a player sends counts, including the bit with which a player announces the
    answer.

    Attributes
    ----------
    problem : CommunicationProblem
    model : str
        ``"one-way"``, ``"one-way-from-bob"``, ``"two-way"`` or ``"simultaneous"``.
    bits : int
        Number of bits that the players may send together.
    rounds : int or None
        Maximum number of rounds of a two-way protocol; None if it is not limited.
    lower, upper : Fraction
        Bounds on the minimax error over the inputs inside the promise; equal if it is known.
    protocol : SymmetricMixture, PublicCoinProtocol or SymmetricProtocol
        Certificate of the upper bound: ``upper`` is its largest error. For the model
        ``"one-way-from-bob"``, a one-way protocol of the problem with the players exchanged.
    distribution : HardDistribution or None
        Hard input distribution, which proves the lower bound (Yao's principle).
    by_discrepancy : bool
        Whether the discrepancy under the distribution proves the bound, for large problems.
    one_way : MinimaxResult or None
        For the one-way models and at least one bit: the result that contains the proofs.
    method : str
        Method that found the bounds.
    """

    asked = ("problem", "model", "bits", "rounds")
    quantity: ClassVar[str] = "the minimax error"

    problem: CommunicationProblem
    model: str
    bits: int
    rounds: int | None
    lower: Fraction
    upper: Fraction
    protocol: Mixed
    distribution: HardDistribution | None
    by_discrepancy: bool
    one_way: Answer[Fraction] | None
    method: str

    @property
    def needed(self) -> str | None:
        """The resources needed for an exact answer, as text; None if the bounds coincide."""
        if self.exact:
            return None
        if self.one_way is not None:
            return str(getattr(self.one_way, "needed", "more time"))
        if self.method != "bounds":
            return "more time"
        return "an exact search, which is limited to 10 x 10 inputs (16 x 16 for two bits)"

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability with which the protocol answers 1 on inputs ``x`` and ``y``."""
        if self.model == "one-way-from-bob" and self.one_way is not None:
            return self.protocol.output_probability(y, x)
        return self.protocol.output_probability(x, y)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON output of ``ccsim error --bits --json`` as a dictionary."""
        return {
            "question": question_of(self),
            **about_instance(self.problem),
            "model": self.model,
            "bits": self.bits,
            "rounds": self.rounds,
            "coins": "public",
            "value": encode_fraction(self.value) if self.exact else None,
            "exact": self.exact,
            "lower": encode_fraction(self.lower),
            "upper": encode_fraction(self.upper),
            "needed": self.needed,
        }

    def without_lower(self) -> Self:
        """Return the result with the trivial lower bound 0."""
        one_way: Any = self.one_way
        if one_way is not None:
            one_way = one_way.without_lower()
        return replace(
            self,
            lower=Fraction(0),
            distribution=nothing_proved(self.problem).distribution,
            by_discrepancy=False,
            one_way=one_way,
        )

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        self._check()
        if self.one_way is not None:
            certificate = self.one_way.certificate()
            if isinstance(certificate, Certificate):
                return certificate
            raise CertificateError("one_way must have a single certificate")
        if not isinstance(self.protocol, SymmetricMixture) or self.distribution is None:
            raise CertificateError("protocol must be a mixture, and distribution must be given")
        bits = encode_integers([self.bits])[0]
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        form = "discrepancy" if self.by_discrepancy else "hard_distribution"
        lower = {form: {"distribution": self.distribution.to_json()}}
        parts = zip(weights_of(self.protocol.weights), self.protocol.components, strict=True)
        listed = [
            [w, *part.to_json()]
            if isinstance(part, SimultaneousProtocol)
            else [w, binary_tree(part)[0]]
            for w, part in parts
        ]
        moves = [g.to_json() for g in self.protocol.symmetries]
        is_simultaneous = self.model == "simultaneous"
        upper = {"symmetries": moves, "tables" if is_simultaneous else "trees": listed}
        rounds = {} if is_simultaneous else {"rounds": self.rounds}
        return Certificate(
            "simultaneous_error" if is_simultaneous else "two_way_error",
            self.problem.to_json(),
            {"bits": bits, **rounds, **bounds},
            lower,
            {"protocol": upper},
        )

    def _check(self) -> None:
        """Raise `CertificateError` unless the parts of the result fit the question."""
        if self.rounds is not None and self.model != "two-way":
            raise CertificateError(f"rounds must be None for the model {self.model}")
        one_way: Any = self.one_way
        if one_way is None:
            if self.model not in MODELS or (self.bits and self.model.startswith("one-way")):
                raise CertificateError(f"one_way must be given for the model {self.model}")
            return
        turned = self.model == "one-way-from-bob"
        problem = self.problem.transposed() if turned else self.problem
        messages = messages_of(self.bits, problem)
        stated = one_way.lower, one_way.upper, one_way.messages, one_way.coins, one_way.problem
        expected = self.lower, self.upper, messages, "public", problem
        if not self.model.startswith("one-way") or stated != expected:
            raise CertificateError("one_way must be the result for this problem, model and bits")
        if self.protocol != one_way.protocol or self.by_discrepancy:
            raise CertificateError("protocol must be the protocol of the result one_way")


class InteractiveCurve(tuple[InteractiveErrorResult, ...]):
    """The minimax errors of a problem for several numbers of bits and several models.

    Examples
    --------
    >>> from ccsim import error_curve
    >>> curve = error_curve("equality:n=4", bits=[1, 2], model=["one-way", "two-way"])
    >>> curve
    InteractiveCurve(equality:n=4: 4 x 4, total; one-way, two-way; 1 to 2 bits)
    >>> [row["value"] for row in curve.to_dict()]
    ['1/2', '3/13', '1/2', '3/13']
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "InteractiveCurve()"
        numbers = [result.bits for result in self]
        models = ", ".join(dict.fromkeys(result.model for result in self))
        ends = f"{in_short(min(numbers))} to {in_short(max(numbers))} bits"
        return f"InteractiveCurve({in_words(self[0].problem)}; {models}; {ends})"

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the JSON output of ``ccsim error --bits --json`` for several results."""
        return [result.to_dict() for result in self]

    def to_dataframe(self) -> Any:  # noqa: ANN401 - of pandas, if it is there
        """Return a pandas DataFrame with a row for each model and number of bits."""
        return data_frame(self.to_dict())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the titles and the rows of a table with a column for each model, as texts.

        Examples
        --------
        >>> from ccsim import error_curve
        >>> error_curve("equality:n=4", bits=[2], model=["two-way", "simultaneous"]).table()
        (['bits', 'two-way', 'simultaneous'], [['2', '3/13', '3/13']])
        """
        models = list(dict.fromkeys(title_of(result) for result in self))
        known = {(title_of(result), result.bits): show_error(result) for result in self}
        numbers = list(dict.fromkeys(result.bits for result in self))
        rows = [[str(c), *(known.get((model, c), "") for model in models)] for c in numbers]
        return ["bits", *models], rows

    def _repr_html_(self) -> str:
        """Return an HTML table and the curves, for notebooks."""
        return with_picture(html_table(*self.table()), self)

    def _repr_svg_(self) -> str | None:
        """Return the curves as SVG if matplotlib is installed."""
        return picture_of(self)


def messages_of(bits: int, problem: CommunicationProblem) -> int:
    """Return the number of messages of a one-way protocol whose answer is the last bit.

    More messages than inputs are useless.
    """
    return min(1 << min(bits - 1, 62), len(problem.alice)) if bits > 0 else 0


def title_of(result: InteractiveErrorResult) -> str:
    """Return the model of a result, with the number of rounds if it is limited."""
    if result.rounds is None:
        return result.model
    return f"{result.model}, {counted(result.rounds, 'round', 'rounds')}"


def show_error(result: InteractiveErrorResult) -> str:
    """Return the minimax error, or the interval that contains it, as text.

    Ends of an interval with long denominators are rounded outwards to six decimals.
    """
    if result.lower == result.upper:
        return in_short(result.lower)
    ends = (result.lower, floor), (result.upper, ceil)
    return " to ".join(
        str(end) if end.denominator <= _SHORT else f"{Decimal(to_integer(end * _UNIT)) / _UNIT:f}"
        for end, to_integer in ends
    )


def some_models(model: str | Iterable[str]) -> tuple[str, ...]:
    """Return the models named by a text or by several texts; ``"all"`` names all models."""
    return MODELS if model == "all" else (model,) if isinstance(model, str) else tuple(model)
