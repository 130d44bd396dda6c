"""Threads: results in order, and the same ones for any number of threads."""

from __future__ import annotations

import time
from contextlib import closing
from random import Random
from threading import Lock, get_ident

import numpy as np
import pytest

from ccsim.budget import Budget
from ccsim.communication import distributional_error
from ccsim.communication.partitions import tables
from ccsim.native import engine
from ccsim.parallel.threads import in_threads


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_results_come_in_the_order_of_the_parts(threads):
    def slow(part):
        time.sleep(0.02 if part % 3 == 0 else 0)
        return part * part, get_ident()

    found = list(in_threads(slow, range(30), threads))
    assert [(part, square) for part, (square, _) in found] == [(i, i * i) for i in range(30)]
    used = {thread for _, (_, thread) in found}
    assert used == {get_ident()} if threads == 1 else get_ident() not in used
    assert {thread for _, (_, thread) in in_threads(slow, range(1), threads)} == {get_ident()}


@pytest.mark.parametrize("threads", [1, 3])
def test_an_iteration_that_ends_early_leaves_the_rest(threads):
    lock, begun = Lock(), []

    def count(part):
        with lock:
            begun.append(part)
        if part == 50:
            raise ValueError(part)

    with closing(in_threads(count, (i for i in range(40)), threads)) as found:
        next(found)
    assert len(begun) <= 2 * threads + 1
    with pytest.raises(ValueError, match="50"):
        list(in_threads(count, range(45, 1000), threads))
    assert len(begun) < 100


@pytest.mark.skipif(engine() is None, reason="Python fills the tables without threads")
@pytest.mark.parametrize("messages", [3, 5])
def test_partitions_do_not_depend_on_the_number_of_threads(messages, monkeypatch):
    draw = Random(messages)  # noqa: S311 - no secret
    weights = [[draw.randint(-9, 9) for _ in range(30)] for _ in range(12)]
    plain = tables.cheapest_classes(weights, messages)
    costs = tables.class_costs(tables.integer_array(weights), Budget())
    level = tables.add_class(costs, costs, Budget())
    monkeypatch.setattr(tables, "_STEPS", 1 << 10)
    for jobs in (1, 2, 4):
        budget = Budget.of(None, jobs=jobs)
        assert np.array_equal(tables.add_class(costs, costs, budget), level)
        assert tables.cheapest_classes(weights, messages, Budget.of(None, jobs=jobs)) == plain


def test_certificates_do_not_depend_on_the_number_of_threads(monkeypatch):
    monkeypatch.setattr(tables, "_STEPS", 1 << 10)
    draw = Random(1)  # noqa: S311 - no secret
    rows = ["".join(draw.choice("01") for _ in range(11)) for _ in range(11)]
    uniform = {(x, y): "1/121" for x in range(11) for y in range(11)}
    found = [distributional_error(rows, uniform, 4, jobs=jobs) for jobs in (None, 1, 2, 4)]
    assert len({str(result.certificate()) for result in found}) == 1
    found[-1].check()
