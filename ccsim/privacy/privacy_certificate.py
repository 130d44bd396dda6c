"""The certificate that a mechanism is private: its laws on all databases, and the worst event.

Databases are sequences of records. Only of a mechanism that sorts them (`CanonicalMechanism`) are
the laws on multisets written.

Laws with rational probabilities are written as they are (kind ``privacy``). Others are written as
weights, polynomials in a common power of ``e`` or of a fraction, in proportion to which the
outcomes are drawn (kind ``exponential_privacy``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ccsim.budget import Budget
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, Real, rational
from ccsim.exact.polynomials import ONE, spread
from ccsim.exact.powers import exponential
from ccsim.privacy.audited_laws import AuditedLaws
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import RestrictedNeighbours, databases
from ccsim.privacy.qualities import QualityNeighbours

__all__ = ["privacy_certificate"]

Event = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Hashable, ...]]


def privacy_certificate(
    mechanism: Mechanism[Any, Any],
    epsilon: Epsilon,
    delta: Real,
    worst: Event,
    labels: tuple[Callable[[Any], str], Callable[[Any], str]],
    budget: Budget,
    neighbours: QualityNeighbours | RestrictedNeighbours | None = None,
) -> Certificate:
    """Return the certificate that a mechanism's least delta is the one given.

    Raises
    ------
    DomainError
        If two records, or two outcomes, have the same label.

    Parameters
    ----------
    mechanism : Mechanism
    epsilon : Epsilon
    delta : Fraction or Exponential
    worst : (database, neighbour, event)
        Neighbouring databases, and outcomes that need this delta.
    labels : (callable, callable)
        Of records, and of outcomes.
    budget : Budget
        Of the laws; `OutOfTimeError` says that it is over.
    neighbours : QualityNeighbours or RestrictedNeighbours, optional
        Which databases are neighbours, other than all that differ in one entry.
    """
    database, neighbour, event = worst
    record, outcome = labels
    audited = AuditedLaws(mechanism)
    records, size, symmetric = audited.domain.records, len(database), audited.symmetric
    listed = databases(len(records), size, symmetric=symmetric)
    laws = []
    for each in listed:
        budget.spend()
        with budget.heard():
            laws.append(audited.laws[audited.number(each)].as_mapping())
    outcomes = {o: i for i, o in enumerate(dict.fromkeys(o for law in laws for o in law))}
    place = {d: i for i, d in enumerate(listed)}
    numbers = map(audited.domain.numbered, (database, neighbour))
    first, second = (place[tuple(sorted(d)) if symmetric else d] for d in numbers)
    chosen = sorted(outcomes[o] for o in event)
    values = [[law.get(o, Fraction(0)) for o in outcomes] for law in laws]
    factor = epsilon.exp()
    kind, more, table, ratio = _numbers(values, factor, budget)
    bound = _bound(delta, int(more.get("root", 1)))
    about: dict[str, Any]
    if isinstance(neighbours, QualityNeighbours):
        about = {
            "type": "mechanism of qualities",
            "qualities": [encode_fractions(map(Fraction, q)) for q in neighbours.functions],
            "growth": neighbours.growth,
            "pairs": None if neighbours.pairs is None else list(map(list, neighbours.pairs)),
        }
    else:
        named = _labels("records", map(record, records))
        about = {"type": "mechanism", "records": named, "size": size, "symmetric": symmetric}
    if isinstance(neighbours, RestrictedNeighbours):
        groups = list(audited.groups(neighbours))
        about["neighbours"] = {"public": neighbours.public, "groups": groups}
    return Certificate(
        kind,
        {
            **about,
            "name": type(mechanism).__name__,
            "outcomes": _labels("outcomes", map(outcome, outcomes)),
            **more,
            "laws": table,
        },
        {"factor": ratio, "lower": bound, "upper": bound},
        {"database": first, "neighbour": second, "event": chosen} if chosen else {},
        {},
    )


def _labels(what: str, labels: Iterable[str]) -> list[str]:
    found = list(labels)
    if len(set(found)) != len(found):
        label = next(label for label in found if found.count(label) > 1)
        raise DomainError(
            f"a certificate needs different labels of {what}, but {label!r} stands for two"
        )
    return found


def _bound(delta: Real, root: int) -> Any:  # noqa: ANN401 - any JSON value
    """Return a fraction as text, and another number as a quotient of polynomials."""
    if not isinstance(delta, Exponential) or delta.is_rational:
        return encode_fraction(rational(delta))
    under, over = _over_common_denominator([Fraction(1), delta], root)
    return {"over": encode_fractions(over), "under": encode_fractions(under)}


def _numbers(
    laws: Sequence[Sequence[Real]], factor: Real, budget: Budget
) -> tuple[str, Mapping[str, int | str], list[Any], Any]:
    """Return the kind of certificate, a common root and base, and the laws and ``e^epsilon``."""
    every = [factor, *(p for law in laws for p in law)]
    if all(not isinstance(p, Exponential) or p.is_rational for p in every):
        table = [encode_fractions(map(rational, law)) for law in laws]
        return "privacy", {}, table, encode_fraction(rational(factor))
    root = math.lcm(*(p.root for p in every if isinstance(p, Exponential)))
    weights = []
    for law in laws:
        budget.spend()
        weights.append([encode_fractions(w) for w in _over_common_denominator(law, root)])
    one, ratio = _over_common_denominator([Fraction(1), factor], root)
    if len(one) > 1:
        raise DomainError(
            f"a certificate needs e^epsilon to be a polynomial in a power of e, not {factor}"
        )
    more: dict[str, int | str] = {"root": root}
    bases = (p.base for p in every if isinstance(p, Exponential) and not p.is_rational)
    if (base := next(bases, None)) is not None:
        more["base"] = encode_fraction(base)
    return "exponential_privacy", more, weights, encode_fractions(ratio)


def _over_common_denominator(values: Sequence[Real], root: int) -> list[list[Fraction]]:
    """Return polynomials in ``t = e^(1/root)`` that are to each other as the given numbers.

    Parameters
    ----------
    values : sequence of Real
        Not negative; each a rational function of ``t``, all with one base.
    root : int
        A multiple of the roots of all of them.

    Returns
    -------
    list of list of Fraction
        For each number its coefficients from the constant term up, without zeros at the end; all
        numbers are multiplied by the same positive one, which is 1 if they are polynomials.

    Examples
    --------
    >>> x = exponential(1)
    >>> _over_common_denominator([1 / (1 + x), x / (1 + x)], 2)
    [[Fraction(1, 1)], [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)]]
    """
    numbers = [exponential(0) * v for v in values]
    tops = [spread(number.numerator, root // number.root) for number in numbers]
    bottoms = [spread(number.denominator, root // number.root) for number in numbers]
    common = ONE
    for bottom in bottoms:
        common = common * (bottom // common.gcd(bottom))
    tops = [top * (common // bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    if Exponential(common, ONE, root) < 0:
        tops = [-top for top in tops]
    return [[Fraction(int(c.p), int(c.q)) for c in top.coeffs()] for top in tops]
