"""The kernel's output distributions of noise programs, against sums over large cubes of noise."""

import random
import re
from fractions import Fraction
from itertools import product

import pytest

from ccsim.kernel import Rejected, check, noise_programs, rules
from ccsim.kernel.lattice_sums import summed
from ccsim.kernel.piecewise import (
    antidifference,
    composed,
    constant,
    convolved,
    multiplied,
    overlaid,
    total,
    value_at,
)
from ccsim.kernel.powers import Powers
from ccsim.kernel.series import Series, TooFewBits, coefficients
from tests.kernel.corpus import stored
from tests.truth.noise_programs import draws_below, probabilities

F = Fraction
ONE = F(1)
NOT_SUPPORTED = r"does not converge|has no closed form|takes more than \d+ steps"


@pytest.fixture(autouse=True)
def limited():
    token = rules.WORK.set(rules.Work())
    yield
    rules.WORK.reset(token)


def ratios(irrational):
    return (1, 2, 3) if irrational else ("1/2", "1/3", "1/4", "2/5")


class ByChance:
    """A random decision tree of at most four draws and three decisions on a path."""

    def __init__(self, seed, *, most, irrational, numeric):
        self.rng = random.Random(seed)  # noqa: S311 - not for secrets
        self.nodes, self.most, self.numeric = [], most, numeric
        self.ratios = ratios(irrational)
        self.root = self.tree(0, 3)
        self.t = {"root": 2, "base": None, "bits": 600} if irrational else None
        groups = [{"cuts": [-2, 0, 1], "outcomes": [3, 4, 5, 6]}] if numeric else []
        self.laws = {"nodes": self.nodes, "trees": [self.root], "groups": groups}

    def affine(self, draws):
        return [[self.rng.randint(-2, 2) for _ in range(draws)], self.rng.randint(-3, 3)]

    def tree(self, draws, depth):
        rng, chance = self.rng, self.rng.random()
        if draws < 1 or (draws < self.most and chance < 0.35):
            child = self.tree(draws + 1, depth)
            kind = rng.choice(("geometric", "one-sided geometric"))
            self.nodes.append({"draw": [kind, rng.choice(self.ratios)], "next": [child]})
        elif depth == 0 or chance < 0.45:
            self.nodes.append(self.leaf(draws))
        else:
            kind = rng.choice(("compare", "compare", "largest", "choose"))
            number = 2 if kind == "compare" else rng.randint(1, 3)
            data = [self.affine(draws) for _ in range(number)]
            if kind == "choose":
                data = [rng.randint(1, 3) for _ in range(number)]
            below = [self.tree(draws, depth - 1) for _ in range(number)]
            self.nodes.append({kind: data[0] if kind == "compare" else data, "next": below})
        return len(self.nodes) - 1

    def leaf(self, draws):
        if not self.numeric or self.rng.random() < 0.5:
            return {"outcome": self.rng.randrange(3)}
        form = [0] * draws
        for _ in range(self.rng.choice((1, 1, 2))):
            form[self.rng.randrange(draws)] = self.rng.choice((-1, 1))
        return {"group": 0, "number": [form, self.rng.randint(-2, 2)]}

    def expected(self):
        """Return the probabilities of the outcomes in a cube."""
        found = [0.0] * (7 if self.numeric else 3)
        for (kind, v), p in probabilities(self.laws, self.t)[0].items():
            place = v if kind == "outcome" else 3 + sum(v >= cut for cut in (-2, 0, 1))
            found[place] += p
        return found


def computed(made):
    """Return the kernel's probabilities in floating point, or None if it supports no such sum."""
    width = 7 if made.numeric else 3
    try:
        [law] = noise_programs.laws(made.laws, Powers(made.t), width)
    except Rejected as error:
        if not re.search(NOT_SUPPORTED, str(error)):
            raise
        return None
    mass = sum(w.low for w in law)
    return [w.low / mass for w in law]


@pytest.mark.parametrize("irrational", [False, True])
@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("start", range(0, 60, 10))
def test_distributions_are_those_of_sums_over_a_cube(start, numeric, irrational):
    known = 0
    for seed in range(start, start + 10):
        made = ByChance(seed, most=3, irrational=irrational, numeric=numeric)
        found = computed(made)
        if found is None:
            continue
        known += 1
        expected = made.expected()
        outside = 1 - sum(expected)
        for p, q in zip(found, expected, strict=True):
            assert q - 1e-9 <= p <= q + outside + 1e-9
    assert known >= 3


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("irrational", [False, True])
def test_distributions_with_four_draws_are_those_of_sums_over_a_cube(irrational):
    known = 0
    for seed in range(1000, 1060):
        made = ByChance(seed, most=4, irrational=irrational, numeric=False)
        if draws_below(made.nodes, made.root) == 4 and (found := computed(made)) is not None:
            known += 1
            expected = made.expected()
            outside = 1 - sum(expected)
            for p, q in zip(found, expected, strict=True):
                assert q - 1e-9 <= p <= q + outside + 1e-9
    assert known > 5


def function(rng, field):
    """Return a random function that is 0 far from 0, with its values."""
    pieces, start = [], -6
    while start < 6:
        end = start + rng.randint(0, 4)
        s = field(rng.randint(1, 3))
        pieces.append((start, end, [(s, rng.randint(0, 2), F(rng.randint(-3, 3)) + F(1, 2))]))
        start = end + rng.randint(1, 3)
    return pieces, {v: value_at(pieces, v, ONE) for v in range(-30, 31)}


@pytest.mark.parametrize("seed", range(40))
def test_operations_on_functions_are_those_on_their_values(seed):
    rng = random.Random(seed)  # noqa: S311
    (f, p), (g, q) = (function(rng, lambda n: F(n, 2)) for _ in range(2))
    product_of, sum_of = multiplied(f, g), overlaid([*f, *g])
    a, c = rng.choice((-3, -2, -1, 1, 2, 3)), rng.randint(-3, 3)
    inner, both = composed(f, a, c), convolved(f, g, ONE)
    for v in range(-12, 13):
        assert value_at(product_of, v, ONE) == p[v] * q[v]
        assert value_at(sum_of, v, ONE) == p[v] + q[v]
        assert value_at(inner, v, ONE) == p.get(a * v + c, 0)
        assert value_at(both, v, ONE) == sum(p[z] * q.get(v - z, 0) for z in p)
    assert total(f, ONE) == sum(p.values())


@pytest.mark.parametrize("s", [F(1), F(1, 2), F(3)])
@pytest.mark.parametrize("n", range(4))
def test_differences_of_antidifferences(s, n):
    terms = [(-50, 50, antidifference(s, n, ONE))]
    for z in range(-5, 5):
        assert value_at(terms, z + 1, ONE) - value_at(terms, z, ONE) == z**n * s**z


def test_sums_with_coefficients_and_cycles():
    """Two geometric draws with ratio 1/2, and bounds that form a cycle with coefficients."""
    weight = [(0, 40, [(F(1, 2), 0, F(1, 2))])]
    bounds = [((2, -1, 0), 3), ((-1, 2, 0), 1), ((-3, -2, 0), 60)]
    factors = [((1, 0, 0), weight), ((0, 1, 0), weight), ((0, 0, 1), constant(ONE, ONE, 0, 0))]
    factors += [(form, constant(ONE, ONE, -c)) for form, c in bounds]
    holds = [
        (a, b)
        for a, b in product(range(41), repeat=2)
        if 2 * a - b >= -3 and 2 * b - a >= -1 and 3 * a + 2 * b <= 60
    ]
    assert total(summed(factors, ONE), ONE) == sum(F(1, 2) ** (a + b + 2) for a, b in holds)


def test_series_are_numbers():
    """Sums and products of powers of u and quotients by 1 - u^k are those at u = 1/2^bits."""
    for bits in (16, 64):
        u = Series(bits, 1)
        a = (u**3 + u**-1 * 2).over(u**2) + (u**1).over(u**-3) * 5 + u * u**2 / 3
        x = F(1, 2**bits)
        exact = (x**3 + 2 / x) / (1 - x**2) + 5 * x / (1 - x**-3) + x**3 / 3
        poles, unit, shift = a.poles, a.unit, a.shift
        value = F(a.top) * 1
        top, left, place = F(0), a.top, 0
        half = 1 << bits - 1
        while left:  # the digits are the coefficients of the polynomial in u
            digit = (left + half & 2 * half - 1) - half
            top += digit * x**place
            left, place = left - digit >> bits, place + 1
        value = top * x**shift / unit
        for k in poles:
            value /= 1 - x**k
        assert value == exact
        assert coefficients([a, a * 2])[1] == [2 * c for c in coefficients([a, a * 2])[0]]
    with pytest.raises(TooFewBits):
        bool(Series(4) * 9 + Series(4) * -9)


FALSE = {
    "comparison": "the event E must prove the bound",
    "constant": "the event E must prove the bound",
    "ratio": "the event E must prove the bound",
    "outcome": "violate the stated bound",
    "side": "the event E must prove the bound",
    "pair": "are not neighbours",
    "tree": "the event E must prove the bound",
    "undrawn": "a form has 5 coefficients after 3 draws",
    "e_cut": "the probabilities of the values of outcome 1 are not proportional",
    "e_merged": "the probabilities of the values of outcome 1 are not proportional",
    "e_power": "the probabilities of the values of outcome 0 are not proportional",
    "numbers_shared": "outcome 2 must not belong to a group",
    "numbers_choose": "the event E must prove the bound",
    "numbers_largest": "violate the stated bound",
    "numbers_cut": "the probabilities of the values of outcome 3 are not proportional",
}


@pytest.mark.parametrize("name", FALSE)
def test_altered_programs_are_rejected(name):
    with pytest.raises(Rejected, match=FALSE[name]):
        check(stored(f"privacy_event_program_{name}_false"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"nodes": [{"draw": ["geometric", "1"], "next": [0]}]},
            r"next\[0\]: must be an index below 0",
        ),
        ({"nodes": [{}]}, "must be an object with one of the keys draw, compare"),
        (
            {"nodes": [{"outcome": 0}, {"draw": ["normal", "1/2"], "next": [0]}]},
            "must be geometric",
        ),
        ({"nodes": [{"outcome": 0}, {"draw": ["geometric", "1"], "next": [0]}]}, "between 0 and 1"),
        ({"nodes": [{"outcome": 0}, {"draw": ["geometric", 1], "next": [0]}]}, "t is not a power"),
        ({"nodes": [{"outcome": 0}, {"compare": [[], 0], "next": [0]}]}, "list 2 earlier nodes"),
        ({"nodes": [{"outcome": 0}, {"largest": [], "next": []}]}, "list 1 earlier nodes"),
        ({"nodes": [{"outcome": 0}, {"choose": [0], "next": [0]}]}, "must be at least 1"),
        ({"groups": [{"cuts": [1, 1], "outcomes": [0, 1, 2]}]}, "cuts must increase"),
        ({"groups": [{"cuts": [1], "outcomes": [0]}]}, "must have 2 entries"),
        ({"groups": [{"cuts": [], "outcomes": [0]}] * 2}, "outcome 0 occurs twice in groups"),
        ({"trees": [19]}, "must be an index below 19"),
    ],
)
def test_programs_are_read_strictly(change, message):
    laws = stored("privacy_event_program")[0]["instance"]["laws"]
    with pytest.raises(Rejected, match=message):
        noise_programs.laws(laws | change, Powers(None), 3)


def test_ratios_are_of_one_kind():
    laws = stored("privacy_event_program_e")[0]["instance"]["laws"]
    laws["nodes"][1]["draw"][1] = "1/2"
    with pytest.raises(Rejected, match="ratios must all be fractions or powers of t"):
        noise_programs.laws(laws, Powers({"root": 2, "base": None, "bits": 300}), 3)


def test_a_hundred_copies_of_a_tree_are_computed_once():
    laws = stored("privacy_event_program")[0]["instance"]["laws"]
    steps = []
    for copies in (1, 1000):
        rules.WORK.set(work := rules.Work())
        noise_programs.laws(laws | {"trees": [18] * copies}, Powers(None), 3)
        steps.append(rules.MAX_WORK - work.left)
    assert steps[1] < 2 * steps[0]
