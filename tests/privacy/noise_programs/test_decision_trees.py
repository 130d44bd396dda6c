"""Certificates of noise programs: the kernel computes the same distributions from the trees."""

import random
from fractions import Fraction

import pytest

from ccsim import kernel
from ccsim.errors import InstanceTooLargeError
from ccsim.exact.exponentials import Exponential
from ccsim.kernel import noise_programs, rules
from ccsim.kernel.powers import Powers
from ccsim.privacy import AuditResult, QueryNeighbours, argmax, audit, mechanism
from proofs_check.commands import cli

F = Fraction


class ByChance:
    """A random program on two queries with at most three draws and three decisions."""

    def __init__(self, seed, *, irrational=False, numeric=False):
        self.seed, self.irrational, self.numeric = seed, irrational, numeric

    def draw(self, rng, noise):
        if self.irrational:
            return noise.discrete_laplace(rng.choice((1, 2, F(1, 2))))
        draw = noise.geometric if rng.random() < 0.6 else noise.one_sided_geometric
        return draw(rng.choice(("1/2", "1/4", "1/3")))

    def form(self, rng, queries, drawn):
        value = queries[0] * rng.randint(-1, 2) + queries[1] * rng.randint(-1, 1)
        for z in rng.sample(drawn, rng.randint(1, min(2, len(drawn)))):
            value = value + z * rng.choice((-2, -1, 1, 1, -1, 2))
        return value

    def __call__(self, queries, noise):
        rng = random.Random(self.seed)  # noqa: S311 - the same choices in every run
        draws = rng.randint(1, 3)
        drawn = [self.draw(rng, noise) for _ in range(rng.randint(1, draws))]
        for _ in range(rng.randint(1, 3)):
            if len(drawn) < draws and rng.random() < 0.5:
                drawn.append(self.draw(rng, noise))
            chance = rng.random()
            if chance < 0.6:
                yield self.form(rng, queries, drawn) >= rng.randint(-2, 2)
            elif chance < 0.8:
                number = rng.randint(2, 3)
                yield argmax([self.form(rng, queries, drawn) for _ in range(number)])
            else:
                yield noise.bernoulli(F(1, 3))
        if self.numeric:
            unit = rng.choice((1, -1, F(1, 2)))
            yield queries[0] * rng.choice((1, F(1, 2))) + drawn[0] * unit


PAIRS = QueryNeighbours.of_pairs([((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 1), (1, 0))])


def is_same(computed, expected, scale):
    """Whether an enclosure of a weight agrees with a probability."""
    if isinstance(expected, Exponential) and not expected.is_rational:
        ball = expected.enclose(256)
        return abs(F(computed.low) / scale - ball.lower) < F(1, 2**60)
    probability = expected.as_fraction() if isinstance(expected, Exponential) else expected
    return abs(F(computed.low) / scale - probability) < F(1, 2**60)


def check_against_engine(result, instance):
    """Compare all probabilities; return whether the certificate contains a program."""
    laws, table = instance["laws"], result.mechanism
    if not isinstance(laws, dict):
        return False
    token = rules.WORK.set(rules.Work())
    width = len(instance["outcomes"])
    computed = noise_programs.laws(laws, Powers(instance["t"]), width)
    rules.WORK.reset(token)
    vectors = list(dict.fromkeys(d[0] for pair in result.neighbours for d in pair))
    labels = instance["outcomes"]
    for vector, weights in zip(vectors, computed, strict=True):
        row = {str(o): p for o, p in table.distribution_of((vector,)).items}
        scale = sum(w.low for w in weights)
        for label, weight in zip(labels, weights, strict=True):
            expected = row.get(label, F(0))
            if instance["t"] is None:
                assert F(weight.low, scale) == expected
            else:
                assert is_same(weight, expected, scale)
    return True


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("irrational", [False, True])
@pytest.mark.parametrize("start", range(0, 12, 6))
def test_kernel_and_engine_compute_the_same_probabilities(start, irrational, numeric):
    known = 0
    for seed in range(start, start + 6):
        program = mechanism(ByChance(seed, irrational=irrational, numeric=numeric))
        try:
            result = audit(program, "1" if irrational else "ln 2", F(1, 10), PAIRS)
        except InstanceTooLargeError:  # the engine has no closed sum
            continue
        if isinstance(result, AuditResult):
            document = result.certificate()
            listed = document.to_dict()
            listed = listed if isinstance(listed, list) else [listed]
            known += check_against_engine(result, listed[0]["instance"])
            assert kernel.check(listed)
    assert known >= 2


@mechanism
def above_threshold(queries, noise):
    threshold = noise.geometric("1/2")
    for q in queries:
        if q + noise.geometric("1/2") >= threshold:
            yield True
            return
        yield False


def test_certificate_of_a_program_is_verified(tmp_path, capsys):
    neighbours = QueryNeighbours.within(3, 0, 2, change="one direction")
    result = audit(above_threshold, "ln 8", 0, neighbours)
    result.check()
    file = tmp_path / "threshold.json"
    result.certificate().write(file)
    assert cli(["verify", str(file)], standalone_mode=False) == 0
    said = capsys.readouterr().out
    assert "privacy of a noise program on 98 listed pairs of 27 databases" in " ".join(said.split())
    assert "above_threshold" in said


def test_violation_of_a_stopped_audit_is_certified():
    pairs = QueryNeighbours.of_pairs([((0,), (1,)), ((0,), (3,))])

    @mechanism
    def noisy_sign(queries, noise):
        return queries[0] + noise.geometric("1/2") >= 2

    result = audit(noisy_sign, "ln 3", 0, pairs)
    stopped = result.if_stopped("stopped")
    assert stopped.verdict == "fails"
    made = stopped.certificate().to_dict()
    assert isinstance(made["instance"]["laws"], dict)
    assert len(made["instance"]["laws"]["trees"]) == 2
    assert kernel.check(made)


def test_largest_of_multiples_of_the_same_noise():
    """The value in the middle is the first largest one only if -2 z < z and 2 z <= z."""

    @mechanism
    def largest(queries, noise):
        z = noise.geometric("1/4")
        return argmax([queries[0] - 2 * z, queries[0] + z, queries[0] + 2 * z])

    assert largest.distribution([0]).as_mapping() == {0: F(4, 5), 2: F(1, 5)}


def test_other_programs_state_their_distributions():
    """Two noisy outputs, which the kernel does not support."""

    @mechanism
    def two_numbers(queries, noise):
        for q in queries:
            yield q + noise.geometric("1/2")

    result = audit(two_numbers, "ln 4", 0, QueryNeighbours.within(2, 0, 1, change="one query"))
    listed = result.certificate().to_dict()
    assert isinstance(listed[0]["instance"]["laws"], list)
    assert kernel.check(listed)
