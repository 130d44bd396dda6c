"""Hard distributions against fractions of answers, which do more than any protocol.

Where Bob has few inputs, a protocol chooses ``k`` of his answers and sends each row to one of them.
Let it choose fractions of answers that sum to ``k``, and send fractions of a row to each, of none
more than is chosen. The distribution that is the hardest for that, together with its potentials of
the rows (`ccsim.communication.partitions.answers`), is one linear program: of all distributions it
has the largest bound that potentials alone prove.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, product
from typing import Any

import highspy
import numpy as np

from ccsim.budget import Budget
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.orbit_game import OrbitGame
from ccsim.communication.public_coins.pricing import simple_law
from ccsim.programs.highs import QuietHighs
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

# most pairs of a row and an answer, and most constraints for them up to symmetry
_PAIRS, _FORMS = 1 << 15, 6000
_PART = 1 / 4  # of the time


def relaxed_weights(
    game: OrbitGame, reduced: Reduced, symmetries: Sequence[Symmetry], budget: Budget
) -> list[int] | None:
    """Return integer weights of cells that are nearly the hardest for fractions of answers.

    Complexity: a float program with a variable and a constraint for each pair of a row and an
    answer, up to symmetry.
    """
    if len(reduced.rows) << len(reduced.columns) > _PAIRS:
        return None
    program = _Fractions(game, reduced, symmetries)
    found = program.solve(budget.share(_PART)) if len(program.forms) <= _FORMS else None
    if found is None:
        return None
    law = simple_law(found)
    return game.rounded(found) if law is None else game.integers(law)


class _Fractions:
    """The linear program over a strategy, potentials of rows, and gains of answers.

    Its variables are the parts of the orbits of cells, the potentials of orbits of rows, for each
    orbit of pairs of a row and an answer what the row adds to its gain, and the largest gain.
    """

    def __init__(self, game: OrbitGame, reduced: Reduced, symmetries: Sequence[Symmetry]) -> None:
        rows, answers = range(len(reduced.rows)), range(1 << len(reduced.columns))
        images = [[g.mask(q) for q in answers] for g in symmetries]
        moved = (
            [((x, q), (g.rows[x], image[q])) for x, q in product(rows, answers)]
            for g, image in zip(symmetries, images, strict=True)
        )
        of_row = orbits_of(rows, (enumerate(g.rows) for g in symmetries))
        of_answer = orbits_of(answers, map(enumerate, images))
        of_pair = orbits_of(product(rows, answers), moved)
        self._orbits, sizes = len(game.sizes), game.sizes.tolist()
        unused = count(self._orbits)
        potential = {x: next(unused) for x in rows if of_row[x] == x}
        gain = {pair: next(unused) for pair, leader in of_pair.items() if leader == pair}
        wrong = defaultdict[tuple[int, int], list[int]](list)  # the orbits of what a row errs on
        for (x, y), orbit in zip(game.cells, game.orbit, strict=True):
            one = reduced.problem.value(reduced.rows[x], reduced.columns[y])
            for q in answers:
                if q >> y & 1 != one:
                    wrong[x, q].append(orbit)
        self.forms: list[dict[int, float]] = []  # at least 0 each
        for (x, q), variable in gain.items():
            errs = ((orbit, 1 / sizes[orbit]) for orbit in wrong[x, q])
            self.forms.append(_added([(variable, 1.0), (potential[of_row[x]], -1.0), *errs]))
        largest = next(unused)
        for answer in answers:
            if of_answer[answer] == answer:
                gains = ((gain[of_pair[x, answer]], -1.0) for x in rows)
                self.forms.append(_added([(largest, 1.0), *gains]))
        self._costs = _added((potential[of_row[x]], -1.0) for x in rows)
        self._costs[largest] = float(game.messages)

    def solve(self, budget: Budget) -> list[float] | None:
        """Return the best strategy, or None where the program does not end."""
        rows = [dict.fromkeys(range(self._orbits), 1.0), *self.forms]
        width = max(self._costs) + 1
        program: Any = highspy.HighsLp()
        program.num_col_, program.num_row_ = width, len(rows)
        program.col_cost_ = np.array([self._costs.get(j, 0.0) for j in range(width)])
        program.col_lower_, program.col_upper_ = np.zeros(width), np.full(width, highspy.kHighsInf)
        program.row_lower_ = np.array([1.0] + [0.0] * len(self.forms))
        program.row_upper_ = np.array([1.0] + [highspy.kHighsInf] * len(self.forms))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.cumsum([0, *map(len, rows)])
        program.a_matrix_.index_ = np.array([j for form in rows for j in form])
        program.a_matrix_.value_ = np.array([v for form in rows for v in form.values()])
        solver = QuietHighs()
        if budget.limited:
            solver.setOptionValue("time_limit", budget.remaining)
        solver.passModel(program)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = np.maximum(solver.getSolution().col_value[: self._orbits], 0.0)
        return [float(p) for p in found / found.sum()]


def _added(terms: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Add up terms of the same variable."""
    form = defaultdict[int, float](float)
    for variable, factor in terms:
        form[variable] += factor
    return form
