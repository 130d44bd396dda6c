"""Claim 3 and Fact 4: representative domains, and the dimensions of a class and of its dual."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

from ccsim import ConceptClass, dual_vc_dimension, representative_domain, vc_dimension
from ccsim.exact import Interval
from ccsim.exact.exponentials import enclose_log
from ccsim.instances import parse_class
from ccsim.symmetry.groups import ClassOrbits
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, below, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, plus, times

ALL = "all classes over "
INSTANCES = (f"{ALL}1", f"{ALL}2", f"{ALL}3", "decision_stumps:p=3", "decision_stumps:p=5")
LARGER = (f"{ALL}4", "decision_stumps:p=7")


def _classes(instance: str) -> Iterator[ConceptClass]:
    """Yield the class of a text, or all classes over some points up to symmetry.

    The claims are invariant under permutations of the points, and under exchanging both labels.
    """
    if instance.startswith(ALL):
        n = int(instance.removeprefix(ALL))
        every = range(1 << n)
        swapped = [row & ~3 | row >> 1 & 1 | (row & 1) << 1 for row in every] if n > 1 else every
        turned = [row >> 1 | (row & 1) << n - 1 for row in every]
        moves = (tuple(swapped), tuple(turned), tuple(every[::-1]))
        for mask in ClassOrbits(1 << n, moves).leaders.tolist():
            if mask:
                yield ConceptClass.from_rows([row for row in every if mask >> row & 1], range(n))
    else:
        yield parse_class(instance)


def _vc(C: ConceptClass) -> int:
    return recheck(vc_dimension(C)).value


def _dual(C: ConceptClass) -> int:
    return recheck(dual_vc_dimension(C)).value


@claim(
    "pap/trivial-size",
    "section 2.1",
    "A representative domain of k hypotheses has at most 2^k points",
    Kind.REMARK,
    over=grid(instance=["decision_stumps:p=4", "thresholds:b=4", "intervals:n=9"], k=[1, 2]).medium(
        k=[3]
    ),
    near=near("The domain has at most 2^k - 1 points.", most=plus(-1)),
    uses=["pap/def-2"],
)
def trivial_size(
    instance: str, k: int, *, most: Callable[[int], int] = lambda k: 1 << k
) -> Decision:
    """|X_H~| <= 2^|H~|, because the labels (h(x)) for h in H~ determine the class of x. Checked for
    every family of k hypotheses of a class."""
    C = parse_class(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        for family in combinations(range(len(C)), k):
            size = len(recheck(representative_domain(C.subclass(family))))
            yield family, at_most(size, most(k), trivial=len(C.points))

    return all_of(cases())


@claim(
    "pap/claim-3",
    "Claim 3, as read",
    "Bound on the size of a representative domain by the dual VC dimension",
    Kind.LEMMA,
    over=grid(instance=[*INSTANCES, "thresholds:b=4", "intervals:n=8"]).medium(instance=LARGER),
    near=near("The bound with 0.73 e in place of e.", factor=times(Fraction(73, 100))),
    uses=["pap/def-2"],
)
def size_by_dual_dimension(instance: str, *, factor: Fraction = Fraction(1)) -> Decision:
    """If the dual VC dimension p of a finite class H~ is at least 1, a representative domain has at
    most (e |H~| / p)^p points; if p = 0, it has one point. The printed claim omits p = 0."""

    def decided(C: ConceptClass) -> Decision:
        size, p = len(recheck(representative_domain(C))), _dual(C)
        if p == 0:
            return equal(size, 1)
        ratio = enclose_log(Fraction(factor * len(C), p))
        bound = Interval(p * (1 + ratio.lower), p * (1 + ratio.upper))
        return at_most(enclose_log(Fraction(size)), bound, "in logarithms")

    return all_of((C.rows, decided(C)) for C in _classes(instance))


@claim(
    "pap/claim-3-sauer",
    "lemma in the proof of Claim 3",
    "Sauer-Shelah lemma",
    Kind.LEMMA,
    over=grid(instance=INSTANCES).medium(instance=LARGER),
    near=[
        near("The bound is smaller by one.", most=plus(-1)),
        near("The bound counts subsets of fewer than d points.", sizes=range),
    ],
)
def sauer_shelah(
    instance: str,
    *,
    sizes: Callable[[int], range] = lambda d: range(d + 1),
    most: Callable[[int], int] = lambda subsets: subsets,
) -> Decision:
    """A class of VC dimension d over n points has at most C(n, 0) + ... + C(n, d) hypotheses."""

    def decided(C: ConceptClass) -> Decision:
        n, d = len(C.points), _vc(C)
        bound = most(sum(comb(n, i) for i in sizes(d)))
        return at_most(len(C), bound, trivial=1 << n)

    return all_of((C.rows, decided(C)) for C in _classes(instance))


@claim(
    "pap/fact-4",
    "Fact 4",
    "The dual VC dimension is below 2^(VC + 1)",
    Kind.LEMMA,
    over=grid(instance=INSTANCES).medium(instance=LARGER),
    near=near("VC*(H) < 2^(VC(H) + 1) - 1.", bound=plus(-1)),
)
def assouad(instance: str, *, bound: Callable[[int], int] = lambda d: 2 ** (d + 1)) -> Decision:
    """VC*(H) < 2^(VC(H) + 1) for every class H; decision stumps on 3 and on 7 coordinates attain
    VC* = 2^(VC + 1) - 1."""
    return all_of((C.rows, below(_dual(C), bound(_vc(C)))) for C in _classes(instance))
