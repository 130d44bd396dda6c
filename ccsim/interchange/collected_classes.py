"""Small members of classes in the Combinatorial Parameters Database, by their definitions there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import ceil, log2
from typing import TypeAlias

from ccsim.classes.concept_class import ConceptClass

Masks: TypeAlias = tuple[Iterable[int], int]
"""Concepts as bit masks (bit ``i - 1`` is the ``i``-th point), and the number of points."""

_WORDS: dict[str, tuple[str, str]] = {
    "warmuth_c5": (
        "Warmuth's $C_5$ class",
        "10010 10011 01001 11001 10100 11100 01010 01110 00101 00111",
    ),
    "three_code_class": ("Three-Code Class", "000 011 101"),
    "repetitionfree_teaching_separation": (
        "Repetition-Free Teaching Separation Class",
        "00000 11000 01000 01010 01011 01110 01101 01111 10100 10010 10011 10110 10101",
    ),
    "interpolation_conjecture_counterexample": (
        "Interpolation-Conjecture Counterexample",
        "001 010 011 100",
    ),
    "scvc_vc_separation": ("SCVC/VC Separation Class", "0000 1001 1100 1111"),
    "scvc_interpolation_reverse_separation": (
        "SCVC/Interpolation Reverse Separation Class",
        "0110 0111 1000 1001",
    ),
    "interpolation_effective_vc_radius_counterexample": (
        "Interpolation/Effective-VC-Radius Counterexample",
        "000 011 101 110",
    ),
    "order_shattering_effective_vc_radius_separation": (
        "Order-Shattering/Effective-VC-Radius Separation Class",
        "000 001 010 011 100",
    ),
    "minimum_teaching_separation": (
        "Minimum Teaching-Set Separation Class",
        "000 100 010 110 001",
    ),
    "majority_gap": (
        "Majority-Query Separation Class",
        "0000 1000 0100 1100 0010 1010 1110 0001",
    ),
    "projected_rtd_gap": ("Projected Recursive-Teaching Separation Class", "001 010 011 100"),
    "littlestone_worst_gap": (
        "Littlestone/Worst-Order Separation Class",
        "0000 1000 0100 0001 1101 0011 1011 1111",
    ),
    "best_worst_mistakes_gap": ("Best/Worst Mistakes Separation Class", "000 100 010 101"),
    "positive_degree_gap": (
        "Positive-Degree/Strong-Shattering Separation Class",
        "111 110 101 011",
    ),
    "best_mistakes_order_shattering_gap": (
        "Best-Mistakes/Order-Shattering Separation Class",
        "1100 0010 0110 0001 1001",
    ),
    "projected_teaching_monotonicity_gap": (
        "Projected-Teaching Monotonicity Separation Class",
        "1000 0100 1100 0010 0001",
    ),
    "positive_teaching_triangle": ("Positive-Teaching Triangle", "110 101 011"),
    "extremal_extension_gap": (
        "Extremal-Extension Separation Class",
        "0000 1000 0010 0110 1110 1001 0101 1011 1111",
    ),
    "distinguishing_range_projection_gap": (
        "Distinguishing-Range Projection Gap",
        "0010 0011 0101 1000",
    ),
    "eluder_range_separation_class": (
        "Eluder--Range Separation Class",
        "00111 01000 01001 01111 10000 10010 10100 11111",
    ),
    "projected_noclashing_teaching_gap": (
        "Projected No-Clashing Teaching Separation Class",
        "0000 0001 0010 0011 0100 1101",
    ),
    "projected_positive_noclashing_gap": (
        "Projected Positive No-Clashing Teaching Separation Class",
        "001 010 111",
    ),
    "noclashing_antichain_gap": (
        "No-Clashing/Antichain Separation Class",
        "000 001 010 011 100 101",
    ),
    "antipodal_six_code": ("Antipodal Six-Code Class", "0000 1100 1010 0101 0011 1111"),
    "eluder_range_reverse_separation": (
        "Reverse Eluder--Range Separation Class",
        "000 001 011 110",
    ),
}
"""Names of the classes that are no families, and their concepts."""


def collected_classes() -> dict[str, tuple[str, str, dict[int, ConceptClass]]]:
    """Return small members of the classes in the Combinatorial Parameters Database.

    Returns
    -------
    dict
        A mapping from the short name of a class to its name, its variable, and its members by the
        value of the variable. The variable of a class that is no family is the empty text, and its
        member has the number 1. Of the class Addressing, the members with a complete code are
        returned; of blockwise addressing, the member with ``d = 2``. Families with two variables,
        and classes whose members have more than 64 points, are missing.

    Examples
    --------
    >>> name, variable, members = collected_classes()["singletons"]
    >>> name, variable, members[3].rows
    ('Singletons', 'n', (1, 2, 4))
    >>> len(collected_classes())
    48
    """
    found = {}
    families = {**_first_families(), **_families_by_sets(), **_other_families()}
    for short, (name, variable, sizes, rows) in families.items():
        members = {n: _member(*rows(n)) for n in sizes}
        found[short] = name, variable, members
    for short, (name, words) in _WORDS.items():
        masks = [int(word[::-1], 2) for word in words.split()]
        found[short] = name, "", {1: _member(masks, len(words.split()[0]))}
    return found


def _member(masks: Iterable[int], width: int) -> ConceptClass:
    return ConceptClass.from_rows(sorted({*masks}), range(1, width + 1))


_Families: TypeAlias = dict[str, tuple[str, str, Iterable[int], Callable[[int], Masks]]]


def _first_families() -> _Families:
    """Return the nine classes with which the database began."""
    return {
        "trivial_concepts": ("Trivial concepts", "n", range(1, 7), lambda n: ({0, _all(n)}, n)),
        "singletons": ("Singletons", "n", range(1, 7), lambda n: (_singles(n), n)),
        "full_cube": ("Full Cube", "n", range(1, 5), lambda n: (range(1 << n), n)),
        "singletons_plus_empty_set": (
            "Singletons plus empty set",
            "n",
            range(1, 7),
            lambda n: ([0, *_singles(n)], n),
        ),
        "halfintervals": (
            "Half-intervals",
            "n",
            range(1, 7),
            lambda n: ((_all(i) for i in range(1, n + 1)), n),
        ),
        "tagged_singletons": ("Tagged Singletons", "n", range(2, 7), _tagged),
        "majority": (
            "Majority",
            "n",
            range(1, 5),
            lambda n: ((s | (2 * s.bit_count() > n) << n for s in range(1 << n)), n + 1),
        ),
        "addressing": (
            "Addressing",
            "n",
            (2, 4, 8),
            lambda n: ((1 << i | i << n for i in range(n)), n + ceil(log2(n))),
        ),
        "blockwiseaddressing": ("Blockwise-Addressing", "d", (2,), _blockwise),
    }


def _families_by_sets() -> _Families:
    """Return families that are defined as sets of subsets."""
    return {
        "universal_class": ("Universal Class", "n", range(1, 6), lambda n: (_universal(n), 1 << n)),
        "coded_singletons": ("Coded Singletons", "n", range(1, 6), _coded),
        "middle_layers": (
            "Middle Two Layers",
            "m",
            (1, 2),
            lambda m: (_of_sizes(2 * m + 1, m, m + 1), 2 * m + 1),
        ),
        "common_core_singletons": (
            "Common-Core Singletons",
            "n",
            range(1, 6),
            lambda n: ((1 | s << 1 for s in _singles(n)), n + 1),
        ),
        "common_core_cube": (
            "Common-Core Cube",
            "n",
            range(1, 5),
            lambda n: ((1 | s << 1 for s in range(1 << n)), n + 1),
        ),
        "even_parity_class": (
            "Even-Parity Class",
            "n",
            range(1, 6),
            lambda n: ((s for s in range(1 << n) if not s.bit_count() % 2), n),
        ),
        "cube_with_apex": (
            "Cube with Apex",
            "n",
            range(1, 5),
            lambda n: ([*range(1 << n), 1 << n], n + 1),
        ),
        "antipodally_punctured_cube": (
            "Antipodally Punctured Cube",
            "n",
            (3, 4),
            lambda n: (range(1, _all(n)), n),
        ),
        "singleton_cosingleton": (
            "Singleton–Cosingleton Classes",
            "n",
            (4, 5, 6),
            lambda n: ([*_singles(n), *(_all(n) ^ s for s in _singles(n))], n),
        ),
    }


def _other_families() -> _Families:
    """Return families with further structure, and two single classes."""
    return {
        "quadratic_residue_tournament_classes": (
            "Quadratic-Residue Tournament Classes",
            "p",
            (3, 7, 11),
            _tournament,
        ),
        "private_coordinate_cube": (
            "Private-Coordinate Cubes",
            "n",
            (1, 2, 3),
            lambda n: ((v | 1 << n + v for v in range(1 << n)), n + (1 << n)),
        ),
        "repeated_coordinate_cube": (
            "Repeated-Coordinate Cubes",
            "n",
            (1, 2, 3),
            lambda n: ((v >> 1 | _all(1 << n - 1) * (v & 1) << n - 1 for v in range(1 << n)),
                       n - 1 + (1 << n - 1)),
        ),
        "balanced_six_split": ("Balanced Six-Split Class", "", (1,), lambda _: (_splits(), 10)),
        "k4_incidence_with_empty": (
            "K4 Incidence with Empty Set",
            "",
            (1,),
            lambda _: ([0, *_stars_of_edges(4)], 6),
        ),
    }  # fmt: skip


def _all(n: int) -> int:
    return (1 << n) - 1


def _singles(n: int) -> list[int]:
    return [1 << i for i in range(n)]


def _of_sizes(n: int, *sizes: int) -> Iterator[int]:
    return (s for s in range(1 << n) if s.bit_count() in sizes)


def _universal(n: int) -> Iterator[int]:
    """Yield for every element the subsets that contain it."""
    return (sum(1 << A for A in range(1 << n) if A >> i & 1) for i in range(n))


def _coded(n: int) -> Masks:
    r = ceil(log2(n + 1))
    return (((1 << i >> 1) | i << n for i in range(n + 1)), n + r)


def _tournament(p: int) -> Masks:
    residues = {x * x % p for x in range(1, p)}
    return (sum(1 << b for b in range(p) if (a - b) % p in residues) for a in range(p)), p


def _splits() -> Iterator[int]:
    """Yield for every element the triples with 1 that contain it."""
    triples = [A for A in combinations(range(1, 7), 3) if 1 in A]
    return (sum(1 << i for i, A in enumerate(triples) if v in A) for v in range(1, 7))


def _stars_of_edges(n: int) -> Iterator[int]:
    """Yield for every vertex of a complete graph the edges that contain it."""
    edges = [*combinations(range(n), 2)]
    return (sum(1 << i for i, e in enumerate(edges) if v in e) for v in range(n))


def _tagged(n: int) -> Masks:
    """Return the class of Maass and Turan; sums of ``n 2^-j`` are computed in units of ``2^-r``."""
    r = ceil(log2(n))
    rows = {0, *(1 << n + tag for tag in range(r))}
    for i in range(1, n + 1):
        reached = (
            tag
            for tag in range(1, r + 1)
            if (i - r - 1) << r <= sum(n << r - j for j in range(1, tag + 1))
        )
        rows.add(1 << i - 1 | 1 << n + next(reached) - 1)
    return rows, n + r


def _blockwise(d: int) -> Masks:
    """Return the class over the points ``z``, ``x``, ``y``; concept ``i`` has the bits of ``i``."""
    m = 1 << d
    rows = []
    for i in range(m):
        single, blocks = 1 << i, sum(i << d * block for block in range(m // d))
        rows += [single << 1 | blocks << 1 + m, 1 | blocks << 1 | single << 1 + m]
    return rows, 1 + 2 * m
