"""Inequalities between complexity measures, with their sources.

KN is Kushilevitz and Nisan, Communication Complexity (1997); LS is Linial and Shraibman (2009).
JK is Jain and Klauck, The partition bound for classical communication complexity (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, isqrt

from ccsim.exact import ceil_log2
from ccsim.exact.inequalities import Number, Rule


def _log(n: Number) -> int:
    return ceil_log2(max(1, ceil(n)))


def _root(n: Number) -> int:
    return isqrt(max(0, ceil(n) - 1)) + 1 if n > 0 else 0


def _rules() -> Iterator[Rule]:
    """Yield the inequalities (KN: Kushilevitz and Nisan; LS: Linial and Shraibman 2009)."""
    yield Rule("D", "lower", ("leaves",), "lower", _log, "D >= log2 leaves (KN 1.2)")
    pair = ("partition_0", "partition_1")
    yield Rule(
        "leaves", "lower", pair, "lower", int.__add__, "leaves are disjoint rectangles (KN 1.3)"
    )
    yield from _of_values()
    for field in ("rank", "gf2_rank"):
        yield Rule(
            "partition_1",
            "lower",
            (field,),
            "lower",
            _same,
            "rank <= 1-partition number",
        )
        yield Rule(field, "upper", ("partition_1",), "upper", _same, "rank <= 1-partition number")
        for one_way in ("one_way", "one_way_back"):
            says = "each message has a row of answers"
            yield Rule(field, "upper", (one_way,), "upper", _same, says)
        says = "fooling sets have at most rank^2 inputs (Dietzfelbinger et al. 1996)"
        yield Rule(field, "lower", ("fooling_1",), "lower", _root, says, total=True)
        yield Rule("fooling_1", "upper", (field,), "upper", lambda r: r * r, says, total=True)
    yield Rule(
        "rank", "lower", ("gf2_rank",), "lower", _same, "GF(2) rank <= rational rank", total=True
    )
    yield Rule(
        "gf2_rank", "upper", ("rank",), "upper", _same, "GF(2) rank <= rational rank", total=True
    )
    says = "gamma_2^2 <= rank + 1 (LS)"
    yield Rule("rank", "lower", ("gamma_2",), "lower", lambda g: ceil(g * g) - 1, says, total=True)
    says = "sign rank <= rank + 1"
    yield Rule("sign_rank", "upper", ("rank",), "upper", lambda r: r + 1, says, total=True)
    yield Rule("rank", "lower", ("sign_rank",), "lower", lambda r: r - 1, says, total=True)
    for one_way in ("one_way", "one_way_back"):
        says = "after one message, one bit sends the value"
        yield Rule("D", "upper", (one_way,), "upper", lambda k: _log(k) + 1, says)
        yield Rule("leaves", "upper", (one_way,), "upper", lambda k: 2 * k, says)
        yield Rule(
            one_way,
            "lower",
            ("D",),
            "lower",
            lambda d: 2 ** max(0, d - 2) + 1 if d > 1 else 1,
            says,
        )
    says = "a two-way protocol can send both messages"
    yield Rule("D", "upper", ("simultaneous",), "upper", _same, says)
    yield Rule("simultaneous", "lower", ("D",), "lower", _same, says)
    yield from _of_classes()
    yield from _of_other_ranks()
    says = "the worst distribution has the least discrepancy"
    yield Rule("discrepancy", "upper", ("discrepancy_uniform",), "upper", _same, says)
    yield Rule("discrepancy_uniform", "lower", ("discrepancy",), "lower", _same, says)


def _of_values() -> Iterator[Rule]:
    """Yield the inequalities between measures of rectangles of one value."""
    for v in ("0", "1"):
        cover, partition, fraction = f"cover_{v}", f"partition_{v}", f"fractional_cover_{v}"
        yield Rule(partition, "lower", (cover,), "lower", _same, "a partition is a cover")
        yield Rule(cover, "upper", (partition,), "upper", _same, "a partition is a cover")
        yield Rule(cover, "lower", (fraction,), "lower", ceil, "a cover is a fractional cover")
        yield Rule(fraction, "upper", (cover,), "upper", Fraction, "a cover is a fractional cover")
        weighted = f"fractional_partition_{v}"
        yield Rule(weighted, "lower", (fraction,), "lower", Fraction, "a partition is a cover")
        yield Rule(fraction, "upper", (weighted,), "upper", Fraction, "a partition is a cover")
        says = "a partition is a fractional partition"
        yield Rule(partition, "lower", (weighted,), "lower", ceil, says)
        yield Rule(weighted, "upper", (partition,), "upper", Fraction, says)
        fooling = f"fooling_{v}"
        yield Rule(fraction, "lower", (fooling,), "lower", Fraction, "fooling set bound (KN 2.4)")
        yield Rule(fooling, "upper", (fraction,), "upper", floor, "fooling set bound (KN 2.4)")
        says = "the leaves of one value form a partition"
        yield Rule(partition, "upper", ("leaves",), "upper", _same, says)


def _of_classes() -> Iterator[Rule]:
    """Yield the inequalities that involve the class of the rows of a total function."""
    says = "2^VC <= number of distinct rows"
    yield Rule("one_way", "lower", ("vc",), "lower", lambda d: 2**d, says)
    says = "the leaves of a mistake tree are distinct rows"
    yield Rule("one_way", "lower", ("littlestone",), "lower", lambda d: 2**d, says)
    yield Rule("littlestone", "upper", ("one_way",), "upper", _floor_log, says)
    yield Rule(
        "littlestone", "lower", ("vc",), "lower", _same, "VC dimension <= Littlestone dimension"
    )
    yield Rule(
        "vc", "upper", ("littlestone",), "upper", _same, "VC dimension <= Littlestone dimension"
    )
    says = "halfspaces through 0 shatter at most as many vectors as the dimension"
    yield Rule("sign_rank", "lower", ("vc",), "lower", _same, says)
    yield Rule("vc", "upper", ("sign_rank",), "upper", _same, says)


def _of_other_ranks() -> Iterator[Rule]:
    """Yield the inequalities of the nonnegative rank and the margin, which have no certificates."""
    target = "nonnegative_rank"
    yield Rule(target, "lower", ("rank",), "lower", _same, "rank <= nonnegative rank")
    says = "1-cover number <= nonnegative rank"
    yield Rule(target, "lower", ("cover_1",), "lower", _same, says)
    says = "nonnegative rank <= 1-partition number"
    yield Rule(target, "upper", ("partition_1",), "upper", _same, says)
    says = "margin = 1 / gamma_2^infinity (LS)"
    signs = ("gamma_2_infinity",)
    yield Rule("margin", "lower", signs, "upper", lambda g: 1 / g, says, total=True)
    yield Rule(
        "margin", "upper", signs, "lower", lambda g: 1 / max(Fraction(1), g), says, total=True
    )
    says = "gamma_2^infinity <= gamma_2"
    yield Rule("gamma_2_infinity", "upper", ("gamma_2",), "upper", _same, says)
    yield Rule("gamma_2", "lower", signs, "lower", _same, says)
    says = "discrepancy <= margin <= 8 discrepancy (LS)"
    worst = ("discrepancy",)
    yield Rule("margin", "lower", worst, "lower", _same, says, total=True)
    yield Rule("margin", "upper", worst, "upper", lambda d: 8 * d, says, total=True)
    margin = ("margin",)
    yield Rule("discrepancy", "lower", margin, "lower", lambda m: m / 8, says, total=True)


def with_error(error: Fraction) -> Iterator[Rule]:
    """Yield the inequalities about protocols with an error below 1/2."""
    says = "public coins can replace private coins"
    yield Rule("public_coins", "upper", ("private_coins",), "upper", _same, says)
    yield Rule("private_coins", "lower", ("public_coins",), "lower", _same, says)
    says = "a deterministic protocol uses no coins"
    yield Rule("private_coins", "upper", ("one_way",), "upper", _same, says)
    yield Rule("public_coins", "upper", ("one_way",), "upper", _same, says)
    yield Rule("one_way", "lower", ("private_coins",), "lower", _same, says)
    yield Rule("one_way", "lower", ("public_coins",), "lower", _same, says)
    says = "gamma_2 near the signs <= gamma_2"
    yield Rule("gamma_2_error", "upper", ("gamma_2",), "upper", _same, says)
    yield Rule("gamma_2", "lower", ("gamma_2_error",), "lower", _same, says)
    says = "gamma_2^infinity <= gamma_2 near the signs"
    near, signs = ("gamma_2_error",), ("gamma_2_infinity",)
    yield Rule("gamma_2_infinity", "upper", near, "upper", _same, says)
    yield Rule("gamma_2_error", "lower", signs, "lower", _same, says)
    gain = 1 - 2 * error
    says = "gamma_2^2 <= alpha^2 rank (LS)"
    rank = "approximate_rank"
    yield Rule(rank, "lower", near, "lower", lambda g: ceil((g * gain) ** 2), says)
    yield Rule(
        rank,
        "upper",
        ("rank",),
        "upper",
        lambda r: r + 1,
        "approximate rank <= rank + 1",
        total=True,
    )
    yield Rule(rank, "lower", ("sign_rank",), "lower", _same, "sign rank <= approximate rank")
    says = "k messages have gamma_2^2 <= k (LS)"
    yield Rule("public_coins", "lower", near, "lower", lambda g: ceil((g * gain) ** 2), says)
    says = "k messages divide the inputs into 2 k rectangles (KN 3.5)"
    worst = ("discrepancy",)
    yield Rule("public_coins", "lower", worst, "upper", lambda d: ceil(gain / (2 * d)), says)
    yield from _of_rectangle_bounds(error)


def _of_rectangle_bounds(error: Fraction) -> Iterator[Rule]:
    """Yield the inequalities of rectangle bounds and the partition bound, which allow an error."""
    kept, bound = 1 - error, ("partition_bound",)
    for v in ("0", "1"):
        plain, smooth = f"rectangle_bound_{v}", f"smooth_rectangle_bound_{v}"
        says = "rectangle bound <= smooth rectangle bound (JK)"
        yield Rule(smooth, "lower", (plain,), "lower", _same, says)
        yield Rule(plain, "upper", (smooth,), "upper", _same, says)
        says = "smooth rectangle bound <= partition bound (JK)"
        yield Rule(*bound, "lower", (smooth,), "lower", _same, says)
        yield Rule(smooth, "upper", bound, "upper", _same, says)
        for ours, exact in ((plain, "cover"), (smooth, "partition")):
            without, name = f"fractional_{exact}_{v}", ours[:-2].replace("_", " ")
            says = f"{name} <= (1 - error) fractional {exact} number"
            yield Rule(ours, "upper", (without,), "upper", lambda w: w * kept, says)
            yield Rule(without, "lower", (ours,), "lower", lambda w: Fraction(w) / kept, says)
    says = "sum of both smooth rectangle bounds <= partition bound"
    both = ("smooth_rectangle_bound_0", "smooth_rectangle_bound_1")
    yield Rule(*bound, "lower", both, "lower", Fraction.__add__, says)
    says = "partition bound <= sum of both fractional partition numbers"
    both = ("fractional_partition_0", "fractional_partition_1")
    yield Rule(*bound, "upper", both, "upper", Fraction.__add__, says, total=True)
    says = "partition bound <= number of leaves (JK)"
    yield Rule(*bound, "upper", ("leaves",), "upper", Fraction, says)
    yield Rule("leaves", "lower", bound, "lower", ceil, says)
    says = "k messages divide the inputs into 2 k rectangles (JK)"
    yield Rule(*bound, "upper", ("public_coins",), "upper", lambda k: Fraction(2 * k), says)
    yield Rule("public_coins", "lower", bound, "lower", lambda w: ceil(w / 2), says)
    gain, says = 1 - 2 * error, "(1 - 2 error) / discrepancy <= partition bound (JK)"
    yield Rule(*bound, "lower", ("discrepancy",), "upper", lambda d: gain / d, says)
    yield Rule("discrepancy", "lower", bound, "upper", lambda w: gain / w, says)
    says = "((1 - 2 error) gamma_2)^2 <= partition bound"
    yield Rule(*bound, "lower", ("gamma_2_error",), "lower", lambda g: (gain * g) ** 2, says)


def _same(value: Number) -> Number:
    return value


def _floor_log(n: int) -> int:
    return max(1, n).bit_length() - 1


RULES = tuple(_rules())
