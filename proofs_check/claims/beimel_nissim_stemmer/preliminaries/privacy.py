"""Section 2.1: neighbours and privacy, checked literally."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    permutations,
    product,
)
from typing import Any, TypeAlias

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.privacy import (
    Mechanism,
    RandomizedResponse,
    StableMode,
    Subsampled,
    TruncatedGeometric,
    audit,
)
from ccsim.privacy.mechanisms.stable_choice import StableChoice
from ccsim.privacy.neighbours import neighbouring_databases
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, times

Database: TypeAlias = tuple[int, ...]
Orders: TypeAlias = Callable[[Database], Iterable[tuple[int, ...]]]
Events: TypeAlias = Callable[[Sequence[Hashable]], Iterable[tuple[Hashable, ...]]]
LN2, LN3, LN4 = (Epsilon.of(f"ln {k}") for k in (2, 3, 4))
JUST_LESS = times(Fraction(999, 1000))


def _in_one_order(database: Database) -> Iterator[Database]:
    yield database


@claim(
    "bns/def-2.1",
    "Definition 2.1",
    "Neighbouring databases",
    Kind.DEFINITION,
    over=grid(records=[2, 3], m=[1, 2, 3]),
    near=[
        near("Neighbours differ in at most one entry.", entries=(0, 1)),
        near("Neighbours differ in one or two entries.", entries=(1, 2)),
        near("Multisets are compared only in sorted order.", orders=_in_one_order),
    ],
)
def neighbours(
    records: int, m: int, *, entries: tuple[int, ...] = (1,), orders: Orders = permutations
) -> Decision:
    """Databases of m records are neighbours if they differ in exactly one entry; each pair is
    considered once. Multisets are neighbours if some orderings of their records are.
    """

    def apart(S: Database, T: Database) -> bool:
        return sum(x != y for x, y in zip(S, T, strict=True)) in entries

    def agree(found: Iterable[tuple[Database, ...]], stated: set[frozenset[Database]]) -> Decision:
        pairs = [frozenset(pair) for pair in found]
        once = len(pairs) == len(set(pairs))
        return holds(once and set(pairs) == stated, f"{len(pairs)} pairs, {len(stated)} stated")

    domain = range(records)
    lists = list(product(domain, repeat=m))
    as_lists = {
        frozenset((S, T)) for S, T in combinations_with_replacement(lists, 2) if apart(S, T)
    }
    sets = list(combinations_with_replacement(domain, m))
    as_sets = {
        frozenset((S, T))
        for S, T in combinations_with_replacement(sets, 2)
        if any(apart(S, order) for order in orders(T))
    }
    listed = neighbouring_databases(domain, m, symmetric=False)
    sorted_ = ((tuple(sorted(S)), tuple(sorted(T))) for S, T in neighbouring_databases(domain, m))
    return all_of([("lists", agree(listed, as_lists)), ("multisets", agree(sorted_, as_sets))])


def _count(database: Sequence[int], solution: int) -> int:
    return database.count(solution)


MECHANISMS: dict[str, Mechanism[Any, Any]] = {
    "randomised response": RandomizedResponse((0, 1, 2), LN4),
    "noisy count": TruncatedGeometric((0, 1, 2), sum, LN4, 0, 3),
    "stable choice": StableChoice((0, 1), (0, 1), _count, LN3, Fraction(1, 50)),
    "stable mode": StableMode((0, 1), 0, LN3, Fraction(1, 20)),
    "response of a part": Subsampled(RandomizedResponse((None, 1), LN4), Fraction(1, 2), None),
}


def _all_events(outcomes: Sequence[Hashable]) -> Iterable[tuple[Hashable, ...]]:
    sizes = range(len(outcomes) + 1)
    return chain.from_iterable(combinations(outcomes, size) for size in sizes)


def _single_outcomes(outcomes: Sequence[Hashable]) -> Iterable[tuple[Hashable, ...]]:
    return [(outcome,) for outcome in outcomes]


def _both(pair: tuple[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return pair, pair[::-1]


def _first_to_second(pair: tuple[Any, Any]) -> Iterable[tuple[Any, Any]]:
    yield pair


@claim(
    "bns/def-2.2",
    "Definition 2.2",
    "Differential privacy",
    Kind.DEFINITION,
    over=grid(mechanism=sorted(MECHANISMS), m=[1, 2], factor=["1", "2"]).medium(
        mechanism=["noisy count", "stable choice", "stable mode"], m=[3]
    ),
    near=[
        near("Only events of one output are considered.", events=_single_outcomes),
        near(
            "Only the first of two neighbours is compared with the second.", sides=_first_to_second
        ),
        near("The difference is taken with e^(eps + 1/1000).", weight=times(Fraction(1001, 1000))),
    ],
    uses=["bns/def-2.1"],
)
def differential_privacy(
    mechanism: str,
    m: int,
    factor: str,
    *,
    events: Events = _all_events,
    sides: Callable[[tuple[Any, Any]], Iterable[tuple[Any, Any]]] = _both,
    weight: Fraction = Fraction(1),
) -> Decision:
    """A mechanism is (eps, delta)-private if Pr[A(S1) in F] <= e^eps Pr[A(S2) in F] + delta for all
    neighbours S1, S2, in either order, and all sets F of outputs. The least delta that an audit
    finds is the largest Pr[A(S1) in F] - e^eps Pr[A(S2) in F] over all S1, S2 and F.
    """
    A, e = MECHANISMS[mechanism], Fraction(factor)
    found = recheck(audit(A, Epsilon.of(f"ln({factor})"), Fraction(0), m)).least_delta
    distributions = {S: A.distribution(S).as_mapping() for S in product(A.records, repeat=m)}

    def excesses() -> Iterator[Real]:
        for pair in neighbouring_databases(A.records, m, symmetric=False):
            for S, T in sides(pair):
                outcomes = sorted({*distributions[S], *distributions[T]}, key=repr)
                for F in events(outcomes):
                    p, q = (
                        sum((distributions[D].get(o, 0) for o in F), Fraction(0)) for D in (S, T)
                    )
                    yield p - weight * e * q

    return equal(found or 0, max(Fraction(0), *excesses())).at_risk_if(found != 0)
