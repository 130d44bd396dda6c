"""RecConcave: its fast distribution equals that by enumeration; exact privacy of its steps."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.information import divergence
from ccsim.privacy.mechanisms.exponential import exponential_over_range
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from proofs_check.claims.beimel_nissim_stemmer.constructions.joint_steps import joint_distribution

EIGHTH = Fraction(1, 8)


def exponential(points, quality, base):
    """Return the exponential mechanism on points for ``base = e^(epsilon / 2)``."""
    weights = {x: base ** int(quality[x]) for x in points}
    total = sum(weights.values())
    return {x: w / total for x, w in weights.items()}


def enumerated(algorithm, quality, base):
    """Return the output distribution by figure 5 of the paper, with lists of all intervals."""

    def choices(family, values):
        if len(family) < 2:
            return [(family[0] if family else None, Fraction(1))]
        best = [max(values[a : b + 1]) for a, b in family]
        i = best.index(max(best))
        lead = best[i] - max(best[:i] + best[i + 1 :])
        ratio = base ** int(lead - 2) * 2 * algorithm.delta
        released = ratio / 2 if ratio <= 1 else 1 - 1 / (2 * ratio)
        return [(family[i], released), (None, 1 - released)]

    def run(values, promise, accuracy, depth):
        last = len(values) - 1
        if last <= algorithm.base or depth == 1:
            return exponential(range(last + 1), values, base)
        top = 1
        while top < last:
            top *= 2
        longer = values + [min(Fraction(0), values[-1])] * (top - last)
        log = top.bit_length() - 1
        L = [max(min(longer[a : a + 2**j]) for a in range(top + 2 - 2**j)) for j in range(log + 1)]
        L.append(min(Fraction(0), L[log]))
        q = [min(L[j] - (1 - accuracy) * promise, promise - L[j + 1]) for j in range(log + 1)]
        found = dict.fromkeys(range(last + 1), Fraction(0))
        for k, p in run(q, accuracy * promise / 2, Fraction(1, 4), depth - 1).items():
            families = [
                [(a, min(a + 8 * 2**k - 1, top)) for a in range(offset, top + 1, 8 * 2**k)]
                for offset in (0, 4 * 2**k)
            ]
            for (a, with_a), (b, with_b) in product(*(choices(f, longer) for f in families)):
                points = {x for i in (a, b) if i is not None for x in range(i[0], i[1] + 1)}
                inside = {x for x in points if x <= last} or {last}
                if not points:
                    inside = set(range(last + 1)) if algorithm.fallback == "whole" else {0}
                for x, w in exponential(inside, values, base).items():
                    found[x] += p * with_a * with_b * w
        return found

    return run(list(quality), algorithm.promise, algorithm.accuracy, algorithm.depth)


def random_function(rng):
    last = int(rng.choice([5, 9, 10, 17, 33, 40, 64, 100, 128]))
    values = []
    while len(values) <= last:
        values += [Fraction(int(rng.integers(-3, 21)))] * int(
            rng.integers(1, max(2, last // 2 + 1))
        )
    return values[: last + 1]


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))]
)
def test_the_fast_distribution_is_the_distribution_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        values = random_function(rng)
        algorithm = RecConcave(
            promise=Fraction(int(rng.choice([16, 32]))),
            accuracy=Fraction(1, 2),
            epsilon=Epsilon.of("ln 4"),
            delta=EIGHTH,
            depth=int(rng.choice([1, 2])),
            base=int(rng.choice([2, 4, 8, 32])),
            fallback=str(rng.choice(["whole", "first"])),
        )
        distribution = algorithm.distribution(StepFunction.of(values))
        expected = enumerated(algorithm, values, Fraction(2))
        assert [distribution.probability(x, x) for x in range(len(values))] == [
            expected[x] for x in range(len(values))
        ]
        level = max(values)
        low = sum(p for x, p in expected.items() if values[x] < level)
        assert distribution.probability_below(level) == low


def test_three_levels_agree_with_enumeration_in_powers_of_a_root():
    rng = np.random.default_rng(7)
    algorithm = RecConcave(Fraction(64), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 3, 2)
    values = [Fraction(int(rng.integers(65))) for _ in range(40)]
    distribution = algorithm.distribution(StepFunction.of(values))
    expected = enumerated(algorithm, values, Fraction(2))
    assert [distribution.probability(x, x) for x in range(40)] == [expected[x] for x in range(40)]
    assert algorithm.calls(39) == 3


def test_balls_contain_the_exact_distribution():
    values = [Fraction(v) for v in (0, 3, 9, 12, 16, 16, 11, 2, 0, 0, 1, 0)]
    algorithm = RecConcave(Fraction(16), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 4)
    exact, balls = (algorithm.distribution(StepFunction.of(values), bits) for bits in (None, 128))
    for x in range(len(values)):
        ball = balls.probability(x, x)
        assert ball.lower <= exact.probability(x, x) <= ball.upper
        assert ball.width < Fraction(1, 2**100)


def test_balls_are_sharp_where_an_interval_weighs_next_to_nothing():
    """The best point lies before all intervals of the second family; others are much worse."""
    values = [Fraction(v) for v in (900, 0, 0, 0, 1, 2, 3, 0, 4, 0, 0, 1)]
    algorithm = RecConcave(Fraction(900), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 4)
    exact, balls = (algorithm.distribution(StepFunction.of(values), bits) for bits in (None, 128))
    for x in range(len(values)):
        ball = balls.probability(x, x)
        assert ball.lower <= exact.probability(x, x) <= ball.upper
        assert ball.width < Fraction(1, 2**50)
    ball = balls.probability_below(4)
    assert ball.lower <= exact.probability_below(4) <= ball.upper
    assert ball.width < Fraction(1, 2**50)


def test_the_joint_distribution_has_the_distribution_as_its_last_marginal():
    rng = np.random.default_rng(3)
    for _ in range(10):
        values = [Fraction(int(rng.integers(17))) for _ in range(int(rng.choice([10, 20, 30])))]
        algorithm = RecConcave(Fraction(16), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 8)
        distribution = algorithm.distribution(StepFunction.of(values))
        joint = joint_distribution(algorithm, StepFunction.of(values))
        marginal = joint.map(lambda outcome: outcome[-1])
        assert all(marginal[x] == distribution.probability(x, x) for x in range(len(values)))


def neighbours(values, rng):
    return [v + int(rng.integers(-1, 2)) for v in values]


def test_the_joint_distribution_of_all_steps_is_as_private_as_counted():
    rng = np.random.default_rng(5)
    algorithm = RecConcave(Fraction(16), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 8)
    for _ in range(12):
        values = [Fraction(int(rng.integers(17))) for _ in range(12)]
        p, q = (
            joint_distribution(algorithm, StepFunction.of(v))
            for v in (values, neighbours(values, rng))
        )
        epsilon, delta = algorithm.privacy(11)
        assert epsilon.exp() == 4**4
        assert delta == 2 * EIGHTH
        assert divergence(p, q, epsilon.exp()) <= delta
        assert divergence(q, p, epsilon.exp()) <= delta


@pytest.mark.parametrize("variant", ["optimal", "corrected"])
def test_unequal_steps_are_as_private_as_they_add_up_to(variant):
    """A split such as that of `best_split`, with a different epsilon for each kind of step."""
    rng = np.random.default_rng(17)
    algorithm = RecConcave(
        Fraction(16),
        Fraction(3, 5),
        Epsilon.of("ln 4"),
        Fraction(1, 50),
        2,
        8,
        variant,
        last_epsilon=Epsilon.of("ln 16"),
        choice_epsilon=Epsilon.of("ln 9"),
    )
    epsilon, delta = algorithm.privacy(11)
    assert (epsilon.exp(), delta) == (4 * 9**2 * 16, Fraction(1, 25))
    functions = [[Fraction(int(rng.integers(17))) for _ in range(12)] for _ in range(6)]
    functions.append([Fraction(x) for x in (0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 14)])
    for values in functions:
        for other in (neighbours(values, rng), neighbours(values, rng)):
            p, q = (joint_distribution(algorithm, StepFunction.of(v)) for v in (values, other))
            assert divergence(p, q, epsilon.exp()) <= delta
            assert divergence(q, p, epsilon.exp()) <= delta


def test_optimal_choices_need_all_of_the_counted_delta():
    delta = Fraction(1, 1000)
    algorithm = RecConcave(
        Fraction(64),
        Fraction(1, 2),
        Epsilon.of("ln 4"),
        delta,
        2,
        32,
        "optimal",
        last_epsilon=Epsilon.of("ln 16"),
        choice_epsilon=Epsilon.of("ln 9"),
    )
    epsilon, counted = algorithm.privacy(40)
    p, q = (joint_distribution(algorithm, needles(*pair)) for pair in ((62, 64), (63, 63)))
    assert counted * Fraction(99, 100) < divergence(p, q, epsilon.exp()) <= counted


def needles(first, second):
    """Return a quality with two points of high quality, in different intervals of both families."""
    return StepFunction.from_steps({0: 0, 10: first, 11: 0, 30: second, 31: 0}, 40)


def test_two_needles_need_nearly_all_of_the_counted_delta():
    delta = Fraction(1, 1000)
    algorithm = RecConcave(Fraction(64), Fraction(1, 2), Epsilon.of("ln 4"), delta, 2, 32)
    p, q = (joint_distribution(algorithm, needles(*pair)) for pair in ((62, 64), (63, 63)))
    epsilon, counted = algorithm.privacy(40)
    assert (epsilon.exp(), counted) == (4**4, 2 * delta)
    assert counted * Fraction(99, 100) < divergence(p, q, epsilon.exp()) <= counted


def test_the_output_alone_breaks_the_printed_lemma():
    """Lemma 3.12 as printed: (3N epsilon, 3N delta), with the printed A_dist, for N = 2."""
    epsilon, delta = Epsilon.of("ln(64/25)"), Fraction(1, 10**6)  # e^(epsilon / 2) = 8 / 5

    def worst(variant):
        algorithm = RecConcave(
            Fraction(64), Fraction(1, 2), epsilon, delta, variant=variant, fallback="first"
        )
        distributions = [
            Distribution.of({x: distribution.value(x, x) for x in range(41)})
            for distribution in (
                algorithm.distribution(needles(*pair)) for pair in ((62, 64), (63, 63))
            )
        ]
        bound, allowed = algorithm.privacy(40, printed=True)
        assert (bound.exp(), allowed) == (epsilon.exp() ** 6, 6 * delta)
        return (
            max(divergence(p, q, bound.exp()) for p, q in (distributions, distributions[::-1]))
            / allowed
        )

    assert Fraction(109, 100) < worst("printed") < Fraction(11, 10)
    assert worst("corrected") < Fraction(1, 2)


def test_printed_choices_cost_more_than_their_parameters():
    """The stated parameters hold for all decisions; the nominal parameters do not."""
    epsilon, delta = Epsilon.of("ln(64/25)"), Fraction(1, 10**6)
    p, q = ((62, 64), (63, 63))
    stated, needed = {}, {}
    for variant in ("printed", "corrected"):
        algorithm = RecConcave(Fraction(64), Fraction(1, 2), epsilon, delta, variant=variant)
        first, second = (joint_distribution(algorithm, needles(*pair)) for pair in (p, q))
        total, allowed = algorithm.privacy(40)
        stated[variant] = total
        needed[variant] = max(
            divergence(a, b, total.exp()) for a, b in ((first, second), (second, first))
        )
        assert needed[variant] <= allowed
        nominal = epsilon.exp() ** 4
        worst = max(divergence(a, b, nominal) for a, b in ((first, second), (second, first)))
        assert (worst > 2 * delta) == (variant == "printed")
    assert stated["corrected"].exp() == nominal
    assert stated["printed"].exp() == epsilon.exp() ** 6


def test_privacy_adds_up_unequal_steps():
    parts = {"last_epsilon": Epsilon.of("ln 3"), "choice_epsilon": Epsilon.of("ln 5")}
    split = RecConcave(Fraction(9), Fraction(1, 2), Epsilon.of("ln 2"), EIGHTH, 3, 4, **parts)
    assert split.calls(2**20) == 3
    for printed, innermost, delta in ((False, 2, 4), (True, 8, 9)):
        epsilon, needed = split.privacy(2**20, printed=printed)
        assert epsilon.exp() == innermost * (5**2 * 3) ** 2
        assert needed == delta * EIGHTH


def test_a_void_promise_is_no_error_and_the_range_is_what_is_drawn_from():
    algorithm = RecConcave(Fraction(100), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 4)
    distribution = algorithm.distribution(StepFunction.of([0] * 12))
    assert sum((distribution.probability(x, x) for x in range(12)), Fraction(0)) == 1
    assert distribution.probability(0, 11) == 1
    assert sum((b + 1 - a) * p for a, b, p in distribution.pieces()) == 1


def test_draws_follow_the_distribution_and_the_seed():
    distribution = exponential_over_range(StepFunction.of([0, 2, 2, 4]), Epsilon.of("ln 2"))
    rng = np.random.default_rng(0)
    counts = np.bincount([distribution.draw(rng) for _ in range(9000)], minlength=4)
    for count, expected in zip(counts, (1000, 2000, 2000, 4000), strict=True):
        assert abs(count - expected) < 200  # four standard deviations and more
    wide = StepFunction.from_steps({0: 0, 2**63: 500, 2**63 + 1: 0}, 2**64)
    algorithm = RecConcave(Fraction(500), Fraction(1, 2), Epsilon.of(1), Fraction(1, 10**6))
    drawn = [algorithm.draw(wide, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn == [2**63] * 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"promise": Fraction(0)}, "promise must be positive"),
        ({"accuracy": Fraction(2)}, "accuracy must be positive and at most 1"),
        ({"delta": Fraction(2, 3)}, "delta must be positive and below 1/2"),
        ({"depth": 0}, "depth must be at least 1"),
        ({"base": 0}, "base must be at least 1"),
        ({"fallback": "last"}, "fallback must be one of"),
        ({"variant": "best"}, "variant must be one of"),
        ({"epsilon": Epsilon.of(0)}, "^epsilon must be positive"),
        ({"last_epsilon": Epsilon.of(0)}, "^last_epsilon must be positive, not 0"),
    ],
)
def test_wrong_parameters_are_refused(fields, message):
    good = {
        "promise": Fraction(9),
        "accuracy": Fraction(1, 2),
        "epsilon": Epsilon.of(1),
        "delta": EIGHTH,
    }
    with pytest.raises(DomainError, match=message):
        RecConcave(**(good | fields))


def test_the_choice_has_the_epsilon_whose_size_is_checked():
    small = partial(RecConcave, Fraction(8), EIGHTH, delta=EIGHTH, variant="corrected-small")
    half, one = Epsilon.of("1/2"), Epsilon.of(1)
    assert small(epsilon=one, choice_epsilon=half).choice_epsilon == half
    for epsilon, choice in ((half, one), (one, None)):
        with pytest.raises(DomainError, match="epsilon must be at most ln 2"):
            small(epsilon=epsilon, choice_epsilon=choice)


def test_step_functions_are_checked():
    with pytest.raises(DomainError, match="starts of steps must be increasing and begin with 0"):
        StepFunction((0, 2, 2), (Fraction(1),) * 3, 5)
    with pytest.raises(DomainError, match="one value for each of 2 starts"):
        StepFunction((0, 2), (Fraction(1),), 5)
    with pytest.raises(DomainError, match="last must be at least the last start"):
        StepFunction((0, 9), (Fraction(1),) * 2, 5)
    with pytest.raises(DomainError, match="point must be between 0 and 5"):
        StepFunction((0,), (Fraction(1),), 5)(6)
    with pytest.raises(DomainError, match="at least one value"):
        StepFunction.of([])


def test_quasi_concave_functions_are_those_of_the_definition():
    for length in range(1, 6):
        for values in product(range(3), repeat=length):
            every = range(length)
            triples = [(i, k, j) for i in every for k in every for j in every if i <= k <= j]
            stated = all(values[k] >= min(values[i], values[j]) for i, k, j in triples)
            assert StepFunction.of(values).is_quasi_concave() == stated


@pytest.mark.parametrize(("last", "calls"), [(2, 1), (3, 2), (4, 2), (5, 3), (16, 3), (17, 4)])
def test_calls_are_the_levels_of_the_recursion(last, calls):
    algorithm = RecConcave(Fraction(9), EIGHTH, Epsilon.of(1), EIGHTH, depth=9, base=2)
    assert algorithm.calls(last) == calls
    assert len(list(algorithm.levels(StepFunction.from_steps({0: 9}, last)))) == calls
