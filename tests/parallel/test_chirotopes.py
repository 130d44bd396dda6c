"""Sign ranks by cubes: the same certificate for any number of processes."""

from __future__ import annotations

from random import Random

import pytest

from ccsim import CommunicationProblem, Workers, lines, sign_rank
from ccsim.budget import Budget
from ccsim.communication import sign_ranks
from ccsim.communication.chirotopes import cubes
from ccsim.communication.chirotopes.cases import Chirotopes
from ccsim.communication.chirotopes.cubes import Cubes, refuted_by_cubes
from ccsim.communication.sign_ranks import Signs

SQUARES = {1, 3, 4, 5, 9}
HADAMARD = [[1] * 12] + [[1] + [int((j - i) % 11 in SQUARES) for j in range(11)] for i in range(8)]
"""Nine rows of the Hadamard matrix of order 12; a tree of 2119 cases excludes dimension 4."""


@pytest.fixture
def early_cubes(monkeypatch):
    """Let only cubes exclude dimensions, by which processes are not affected."""
    monkeypatch.setattr(sign_ranks, "_WORK", ((1, True),))
    monkeypatch.setattr(sign_ranks, "_FIRST_WORK", 1)
    monkeypatch.setattr(cubes, "_CUBES", 20)


def test_certificates_are_the_same_for_any_number_of_processes(early_cubes):
    found = [sign_rank(HADAMARD, jobs=jobs) for jobs in (1, 2, 4)]
    assert found[0] == found[1] == found[2]
    texts = {str(result.certificate().to_json()) for result in found}
    assert len(texts) == 1
    assert found[0].value == 5
    assert (found[0].obstruction.form, found[0].obstruction.number) == ("chirotope", 4)
    found[0].check()


@pytest.mark.parametrize("number", [2, 7, 40])
def test_cubes_exclude_what_the_search_excludes(monkeypatch, number):
    monkeypatch.setattr(cubes, "_CUBES", number)
    draw, refuted = Random(3), []  # noqa: S311 - no secret
    for _ in range(40):
        matrix = [[draw.randint(0, 1) for _ in range(9)] for _ in range(6)]
        chosen = Signs.of(CommunicationProblem.from_matrix(matrix)).lines(0)
        plain = Chirotopes(3, chosen, Budget()).refuted() if len(chosen) > 3 else None
        found = refuted_by_cubes(3, chosen, 10**6, Budget()) if len(chosen) > 3 else None
        assert (plain is None) == (found is None)
        refuted.append(found is not None)
    assert 0 < sum(refuted) < len(refuted)


def test_a_cube_with_too_many_cases_excludes_nothing(early_cubes):
    chosen = Signs.of(CommunicationProblem.from_matrix(HADAMARD)).lines(0)
    assert refuted_by_cubes(4, chosen, 10, Budget()) is None
    assert refuted_by_cubes(4, chosen, 1000, Budget()) is not None


def test_a_stopped_search_has_bounds(early_cubes):
    found = sign_rank(lines(3), time_limit=2, jobs=2)
    found.check()
    assert found.lower <= 5 <= found.upper


def test_a_second_run_continues_with_stored_results(tmp_path, monkeypatch, early_cubes):
    first = sign_rank(HADAMARD, jobs=Workers(2, store=tmp_path / "a.db"))
    monkeypatch.setattr(Cubes, "__call__", None)  # every result is in the database
    assert sign_rank(HADAMARD, jobs=Workers(1, store=tmp_path / "a.db")) == first
