"""Simulated errors: guaranteed intervals, reproducible by seed, at sizes beyond tables."""

import itertools
import json
import math
import signal
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim import native
from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.communication.protocols.by_rules import SimulationResult, simulate
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import clopper_pearson
from ccsim.exact.probability import uniform_below
from protocols import (
    AugmentedIndexCoveringCode,
    AugmentedIndexSendAll,
    EqualityHashing,
    GreaterThanSendAll,
    IndexCoveringCode,
    IndexSendAll,
    LinesHashing,
    LinesSendAll,
)

RANDOM = [
    EqualityHashing(bits=256, repetitions=1),
    EqualityHashing(bits=256, repetitions=4),
    EqualityHashing(bits=70, repetitions=2),
    IndexCoveringCode(r=3),
    IndexCoveringCode(r=6),
    AugmentedIndexCoveringCode(r=3),
    AugmentedIndexCoveringCode(r=4),
    LinesHashing(p=1_000_003, bits=3),
]
CERTAIN = [
    GreaterThanSendAll(bits=256),
    IndexSendAll(d=300),
    AugmentedIndexSendAll(d=300),
    LinesSendAll(p=1_000_003),
]


@pytest.mark.parametrize("protocol", RANDOM, ids=[P.name for P in RANDOM])
def test_interval_contains_the_exact_error_on_hard_inputs(protocol):
    x, y = protocol.hard_input(np.random.default_rng(1))
    result = simulate(protocol, x, y, runs=20_000, seed=2)
    assert result.exact == protocol.stated_error
    assert result.interval.lower <= result.exact <= result.interval.upper
    assert result.agrees
    # The interval is short enough to tell the error from half and from twice its size.
    assert result.exact / 2 < result.interval.lower
    assert result.interval.upper < 2 * result.exact


@pytest.mark.parametrize("protocol", CERTAIN, ids=[P.name for P in CERTAIN])
def test_protocols_without_error_are_never_wrong(protocol):
    rng = np.random.default_rng(3)
    for _ in range(20):
        x, y = protocol.hard_input(rng)
        assert simulate(protocol, x, y, runs=10, seed=0).wrong == 0


def test_one_sided_errors_are_never_made_on_the_other_side():
    equality, lines = EqualityHashing(bits=256, repetitions=1), LinesHashing(p=1009, bits=1)
    x = uniform_below(1 << 256, np.random.default_rng(4))
    on_the_line = (1009 * 17 + 5, 1009 * 100 + (17 * 100 + 5) % 1009)
    assert simulate(equality, x, x, runs=2000, seed=0).wrong == 0
    assert simulate(lines, *on_the_line, runs=2000, seed=0).wrong == 0


def test_result_records_what_was_asked_and_what_was_seen():
    protocol = EqualityHashing(bits=8, repetitions=2)
    result = simulate(protocol, 1, 2, runs=1000, seed=7, confidence="9/10")
    assert isinstance(result, SimulationResult)
    assert (result.protocol, result.x, result.y) == ("equality:bits=8,repetitions=2", 1, 2)
    assert (result.runs, result.seed, result.confidence) == (1000, 7, Fraction(9, 10))
    assert result.estimate == Fraction(result.wrong, 1000)
    assert result.interval == clopper_pearson(result.wrong, 1000, Fraction(9, 10))
    assert not replace(result, exact=Fraction(1)).agrees


@pytest.mark.parametrize("protocol", RANDOM[1:4], ids=[P.name for P in RANDOM[1:4]])
def test_same_seed_gives_the_same_result_and_another_seed_another(protocol):
    x, y = protocol.hard_input(np.random.default_rng(5))
    first = simulate(protocol, x, y, runs=5000, seed=1)
    assert first == simulate(protocol, x, y, runs=5000, seed=1)
    others = {simulate(protocol, x, y, runs=5000, seed=seed).wrong for seed in range(2, 6)}
    assert others != {first.wrong}


def test_many_runs_are_counted_over_all_chunks():
    protocol, seen = EqualityHashing(bits=256, repetitions=3), []
    result = simulate(
        protocol, 5, 6, 150_000, seed=0, progress=lambda done, runs: seen.append((done, runs))
    )
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (150_000, 150_000)
    assert result.runs == 150_000
    assert result.agrees
    # Each chunk has fresh coins: a first chunk counted again and again would not fit its multiple.
    chunk = seen[0][0]
    first = simulate(protocol, 5, 6, chunk, seed=0)
    both = simulate(protocol, 5, 6, 2 * chunk, seed=0)
    assert both.wrong != 2 * first.wrong


@pytest.mark.parametrize("protocol", [RANDOM[2], RANDOM[5], CERTAIN[0]])
def test_result_does_not_depend_on_the_number_of_threads(protocol):
    x, y = protocol.hard_input(np.random.default_rng(6))
    results = {
        simulate(protocol, x, y, runs=140_000, seed=3, jobs=jobs) for jobs in (None, 1, 2, 4)
    }
    assert len(results) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_leaves_the_result_of_the_runs_that_were_made(jobs):
    protocol, blocks = RANDOM[0], 0

    def stop_in_the_third_block(_done, _runs):
        nonlocal blocks
        blocks += 1
        if blocks == 3:
            raise KeyboardInterrupt

    part = simulate(
        protocol, 1, 2, 10**9, seed=1, progress=stop_in_the_third_block, jobs=jobs,
        time_limit=math.inf,
    )  # fmt: skip
    assert 0 < part.runs < 10**9
    assert part == simulate(protocol, 1, 2, part.runs, seed=1)


def test_an_interrupted_command_prints_what_was_sampled(capsys):
    def interrupt(_signal, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 2)
        status = main(["protocol", "equality:bits=64,repetitions=2", "--simulate", str(10**12)])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert status == 130
    assert "interrupted before 1000000000000" in capsys.readouterr().out


@pytest.mark.parametrize(("seed", "where"), [(0, "OUTSIDE"), (1, "inside")])
def test_the_command_says_how_often_an_interval_is_wrong(capsys, seed, where):
    name = "equality_optimal:n=2^256,messages=4"
    arguments = ["protocol", name, "--simulate", "100000", "--seed", str(seed)]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "99% interval" in out
    assert f"{where} the interval" in out
    assert "at most 1 in 100 simulations lies outside" in out
    assert main([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["simulation"]
    assert (data["confidence"], data["agrees"]) == ("99/100", where == "inside")


def test_an_interrupt_before_the_first_block_is_an_interrupt():
    class Interrupted(EqualityHashing):
        def sample_coins(self, runs, rng):
            raise KeyboardInterrupt

    protocol = Interrupted(bits=4, repetitions=1)
    with pytest.raises(KeyboardInterrupt):
        simulate(protocol, 1, 2, runs=10, seed=0)
    with pytest.raises(NotDecidedError, match="no run was finished within the time limit"):
        simulate(protocol, 1, 2, runs=10, seed=0, time_limit=math.inf)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_limit_leaves_the_result_of_the_runs_that_were_made(jobs):
    budget = Budget(3, clock=itertools.count().__next__)
    part = simulate(RANDOM[0], 1, 2, 10**9, seed=1, jobs=jobs, time_limit=budget)
    assert 0 < part.runs < 10**9
    assert part == simulate(RANDOM[0], 1, 2, part.runs, seed=1)


@pytest.mark.parametrize("limit", range(3))
def test_a_command_without_time_prints_the_cost(capsys, tmp_path, limit, monkeypatch):
    monkeypatch.setattr(
        "ccsim.cli.protocol.Budget", lambda _: Budget(limit, clock=itertools.count().__next__)
    )
    target = tmp_path / "t.json"
    arguments = ["protocol", "equality:bits=4,repetitions=2", "--tabulate", "--certificate"]
    assert main([*arguments, str(target), "--simulate", "1000000", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["messages"], data["table"]) == (4, None)
    assert data["simulation"] is None or 0 < data["simulation"]["runs"] < 10**6
    assert not target.exists()
    assert main([*arguments, str(target)]) == 3
    assert "not built in time" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"jobs": 0}, "jobs must be an integer from 1 to 256, not 0"),
        ({"runs": 0}, "runs must be an integer, at least 1, not 0"),
        ({"runs": 2.5}, "runs must be an integer, not 2.5"),
        ({"runs": True}, "runs must be an integer"),
        ({"seed": -1}, "seed must be an integer, at least 0, not -1"),
        ({"seed": None}, "seed must be an integer"),
        ({"confidence": 1}, "confidence must be strictly between 0 and 1"),
        ({"confidence": 0.99}, "confidence must be an exact number, not the float 0.99"),
        ({"x": 16}, r"x must be at least 0 and below 16, not 16"),
        ({"y": -1}, "y must be at least 0 and below 16, not -1"),
        ({"x": "1"}, "x must be an integer, not '1'"),
    ],
)
def test_bad_arguments_are_refused(change, message):
    arguments = {"x": 1, "y": 2, "runs": 10, "seed": 0} | change
    with pytest.raises(DomainError, match=message):
        simulate(EqualityHashing(bits=4, repetitions=1), **arguments)


def test_inputs_outside_the_promise_are_refused():
    with pytest.raises(DomainError, match="outside the promise"):
        simulate(AugmentedIndexCoveringCode(r=2), x=1, y=1, runs=10, seed=0)


@pytest.mark.parametrize(("bits", "repetitions"), [(1, 1), (64, 2), (65, 3), (256, 10)])
def test_equality_is_simulated_as_the_messages_are_computed(monkeypatch, bits, repetitions):
    protocol = EqualityHashing(bits=bits, repetitions=repetitions)
    x, y = protocol.hard_input(np.random.default_rng(0))
    for engine in (native.engine(), None):
        monkeypatch.setattr(native, "engine", lambda engine=engine: engine)
        for source in (np.random.PCG64, np.random.MT19937):
            found = protocol.answers_of_runs(x, y, 500, np.random.Generator(source(7)))
            coins = protocol.sample_coins(500, np.random.Generator(source(7)))
            played = protocol.bob_batch(protocol.alice_batch(x, coins), y, coins).tolist()
            assert found.tolist() == played


def test_the_generator_goes_on_after_the_words_that_were_used():
    protocol = EqualityHashing(bits=100, repetitions=3)
    used, drawn = np.random.default_rng(1), np.random.default_rng(1)
    protocol.answers_of_runs(3, 5, 20, used)
    protocol.sample_coins(20, drawn)
    assert used.integers(1 << 60) == drawn.integers(1 << 60)
