"""Closed forms of errors at any size: every bound that the kernel proves is true."""

from fractions import Fraction

import pytest

from ccsim import augmented_index, equality, index, minimax_error
from ccsim.kernel import Rejected, check


def certificate(family, size, messages, **sides):
    """Return a certificate of a family's error with one stated bound, which may be None."""
    made = {"format": 2, "kind": "family_error", "lower": None, "upper": None, "made_by": "test"}
    made["instance"] = {"type": family, "name": "", "size": size}
    made["statement"] = {"messages": messages, "lower": None, "upper": None}
    for side, (bound, proof) in sides.items():
        made["statement"][side], made[side] = bound, proof
    return made


def proved(side, family, size, messages, proof):
    """Return the bound that the kernel reports when a different bound is stated."""
    with pytest.raises(Rejected, match="the bound that is proved is") as told:
        check(certificate(family, size, messages, **{side: ("-7", proof)}))
    bound = str(told.value).split("proved is ")[1].split(",")[0]
    assert check(certificate(family, size, messages, **{side: (bound, proof)}))
    return Fraction(bound)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_slope_and_every_mixture_of_partitions_proves_what_is_true(n):
    for k in range(1, n + 2):
        value, below, above = minimax_error(equality(n), k).value, [], []
        for size in range(n + 1):
            for ratio in [Fraction(a, 3) for a in range(1, 6 * n)]:
                if 2 * size - 2 <= ratio <= 2 * size:
                    proof = {"slope": {"size": size, "ratio": str(ratio)}}
                    below.append(proved("lower", "equality", n, k, proof))
            if n - (k - 1) * size >= 0:
                for weights in ([1, 0], [0, 1], [1, 1], [3, 2], [9, 4]):
                    proof = {"random_classes": {"size": size, "weights": weights}}
                    above.append(proved("upper", "equality", n, k, proof))
        assert max(below) <= value <= min(above)


@pytest.mark.parametrize(
    ("family", "made"), [("index", index), ("augmented index", augmented_index)]
)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_ball_bound_proves_what_is_true(family, made, d):
    bounds = [proved("lower", family, d, k, {"ball": {}}) for k in range(1, 2**d + 3)]
    values = [minimax_error(made(d), min(k, 2**d)).value for k in range(1, 2**d + 3)]
    assert all(bound <= value for bound, value in zip(bounds, values, strict=True))
    assert bounds[0] == Fraction(1, 2)
    assert bounds[2**d - 1 :] == [0, 0, 0]


@pytest.mark.parametrize(
    ("family", "side", "proof", "reason"),
    [
        ("index", "lower", {"slope": {"size": 1, "ratio": "1"}}, "equality"),
        ("equality", "lower", {"slope": {"size": 1, "ratio": "0"}}, "a positive ratio"),
        (
            "equality",
            "lower",
            {"slope": {"size": 1, "ratio": "7/3"}},
            "ratio must be from",
        ),
        (
            "equality",
            "lower",
            {"slope": {"size": 2, "ratio": "5/3"}},
            "ratio must be from",
        ),
        ("equality", "lower", {"ball": {}}, "not valid for equality"),
        ("index", "upper", {"random_classes": {"size": 0, "weights": [1, 0]}}, "equality"),
        (
            "equality",
            "upper",
            {"random_classes": {"size": 9, "weights": [1, 0]}},
            "disjoint classes of size",
        ),
        ("equality", "upper", {"random_classes": {"size": 1, "weights": [0, 0]}}, "not all be 0"),
        ("equality", "upper", {"random_classes": {"size": 1, "weights": [1]}}, "2 entries"),
    ],
)
def test_what_breaks_a_rule_is_rejected(family, side, proof, reason):
    with pytest.raises(Rejected, match=reason):
        check(certificate(family, 3, 2, **{side: ("1/4", proof)}))


@pytest.mark.parametrize("size", [0, -1, "3", 1.5, None])
def test_a_family_has_a_size(size):
    with pytest.raises(Rejected, match="instance"):
        check(certificate("index", size, 2, lower=("1/4", {"ball": {}})))


@pytest.mark.parametrize("size", [10**6, "9" * 4000])
def test_huge_sizes_are_rejected_before_any_work(size):
    with pytest.raises(Rejected, match="steps to check"):
        check(certificate("index", size, 2, lower=("1/4", {"ball": {}})))
