"""Protocols, minimax errors and games, decided by brute force."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, inf

from ccsim.communication.private_coins.theorems import two_message_error
from ccsim.communication.problem import CommunicationProblem, augmented_index, index
from ccsim.programs import LinearProgram, solve_linear_program
from tests.truth.common import between, enclosed, game_value, require_small

__all__ = ["MEANINGS", "generated", "simultaneous_bits"]


# --- Groups ------------------------------------------------------------------------------------


def generated(symmetries, rows, columns):
    """Return all elements of a group, as pairs of images of rows and of columns."""
    one = (tuple(range(rows)), tuple(range(columns)))
    found, new = {one}, [one]
    for sigma, tau in new:
        for s in symmetries:
            image = tuple(s["rows"][x] for x in sigma), tuple(s["columns"][y] for y in tau)
            if image not in found:
                require_small(len(found), 20000)
                found.add(image)
                new.append(image)
    return new


def are_symmetries(symmetries, rows):
    """Whether each pair of permutations maps the matrix to itself, up to flips."""
    return all(
        sorted(s["rows"]) == list(range(len(rows)))
        and sorted(s["columns"]) == list(range(len(rows[0])))
        and all(
            moved(rows[s["rows"][x]][s["columns"][y]], s["flips"][y]) == entry
            for x, row in enumerate(rows)
            for y, entry in enumerate(row)
        )
        for s in symmetries
    )


def moved(entry, flip):
    return entry if entry == "*" or flip == "0" else "10"[int(entry)]


# --- Given protocols ---------------------------------------------------------------------------


def inputs(rows):
    return [(x, y) for x, row in enumerate(rows) for y, bit in enumerate(row) if bit != "*"]


def protocol_errors(protocol, rows):
    """Return the error on each input, summed over all messages and answers."""
    parts = protocol["components"]
    total = sum(int(part["weight"]) for part in parts)
    errors = {
        (x, y): sum(
            Fraction(int(part["weight"]), total) * p * q
            for part in parts
            for p, m in drawn(part["alice"][x])
            for q, answers in drawn(part["bob"][m])
            if answers[y] != rows[x][y]
        )
        for x, y in inputs(rows)
    }
    if not protocol["symmetries"]:
        return errors
    if not are_symmetries(protocol["symmetries"], rows):
        return dict.fromkeys(errors, Fraction(2))  # no protocol at all: every bound is false
    group = generated(protocol["symmetries"], len(rows), len(rows[0]))
    return {
        (x, y): sum(errors[sigma[x], tau[y]] for sigma, tau in group) / len(group)
        for x, y in errors
    }


def drawn(entry):
    """Return the entries of a table with their probabilities."""
    if not isinstance(entry, list):
        return [(Fraction(1), entry)]
    total = sum(int(w) for w, _ in entry)
    return [(Fraction(int(w), total), value) for w, value in entry]


def protocol_error(instance, statement):
    return between(
        statement, max(protocol_errors(statement["protocol"], instance["rows"]).values())
    )


# --- The least errors of all protocols -----------------------------------------------------------


def partitions(number, k):
    """Return all ways to assign at most k messages to inputs, up to renaming of messages."""

    def extended(sent, used):
        if len(sent) == number:
            yield tuple(sent)
            return
        for message in range(min(used + 1, k)):
            yield from extended([*sent, message], max(used, message + 1))

    return extended([], 0)


def strategies(rows, k):
    """Return the minimal sets of inputs on which deterministic protocols with k messages err."""
    require_small(min(k, len(rows)) ** len(rows) * 2 ** (min(k, len(rows)) * len(rows[0])), 70000)
    found = set()
    for sent in partitions(len(rows), k):
        classes = [[x for x in range(len(rows)) if sent[x] == m] for m in set(sent)]
        choices = []  # for each class and column the errors of both answers, unless one has none
        for S, y in product(classes, range(len(rows[0]))):
            both = [{(x, y) for x in S if rows[x][y] == bit} for bit in "10"]
            choices.append(both if all(both) else [set()])
        for chosen in product(*choices):
            found.add(frozenset().union(*chosen))
    return [each for each in found if not any(other < each for other in found)]


@cache
def public_error(rows, k):
    """Return the minimax error with public coins, as the value of a matrix game."""
    if k >= len(set(rows)):
        return Fraction(0)
    best = strategies(rows, k)
    require_small(len(best) * len(inputs(rows)), 20000)
    return game_value(tuple(tuple(int(cell in each) for each in best) for cell in inputs(rows)))


@cache
def splits_without_conflict(rows, k):
    """Whether some deterministic protocol with k messages never errs."""
    if k >= len(rows):
        return True
    require_small(k ** len(rows), 10**5)
    return any(
        all(
            sent[x] != sent[z] or {a, b} != {"0", "1"}
            for x, z in combinations(range(len(rows)), 2)
            for a, b in zip(rows[x], rows[z], strict=True)
        )
        for sent in partitions(len(rows), k)
    )


@cache
def private_error(rows, k):
    """Return an interval that contains the minimax error with private coins."""
    if splits_without_conflict(rows, k):
        return Fraction(0), Fraction(0)
    low, high = public_error(rows, k), Fraction(1, 2)
    if k == 2 and "*" not in "".join(rows):
        F = CommunicationProblem.from_matrix([[*map(int, row)] for row in rows])
        value = two_message_error(F)
        low, high = max(low, value.lower), min(high, value.upper)
    return low, high


def error_interval(rows, k, coins):
    """Return an interval that contains the minimax error with k messages."""
    if coins == "deterministic":
        value = Fraction(not splits_without_conflict(rows, k))
        return value, value
    if coins == "public":
        return (public_error(rows, k),) * 2
    return private_error(rows, k)


def minimax(instance, statement):
    rows = tuple(instance["rows"])
    return enclosed(statement, *error_interval(rows, statement["messages"], statement["coins"]))


def complexity(instance, statement):
    """Decide a statement on the minimum number of messages, at most the number of inputs."""
    rows, error = tuple(instance["rows"]), Fraction(statement["error"])
    least, most = None, None
    for k in range(1, len(rows) + 1):
        low, high = error_interval(rows, k, statement["coins"])
        if least is None and low <= error:
            least = k
        if high <= error:
            most = k
            break
    return enclosed(statement, least, most)


def distributional(instance, statement):
    """Decide a statement on the least expected error, over all partitions of the inputs."""
    rows, k = instance["rows"], statement["messages"]
    weight = {(x, y): int(w) for x, y, w in statement["distribution"]}
    assert len(weight) == len(statement["distribution"])
    assert all(rows[x][y] != "*" for x, y in weight)
    xs = sorted({x for x, _ in weight})
    require_small(min(k, len(xs)) ** len(xs), 10**5)

    @cache
    def cost(members):
        ones = {}
        for (x, y), w in weight.items():
            if x in members:
                ones.setdefault(y, {"0": 0, "1": 0})[rows[x][y]] += w
        return sum(min(both.values()) for both in ones.values())

    least = min(
        sum(cost(frozenset(x for x, m in zip(xs, sent, strict=True) if m == c)) for c in set(sent))
        for sent in partitions(len(xs), k)
    )
    return between(statement, Fraction(least, sum(weight.values())))


def matrix_game(instance, statement):
    unit = instance.get("unit")
    payoff = tuple(
        tuple(Fraction(p) if unit is None else Fraction(int(p), int(unit)) for p in row)
        for row in instance["payoff"]
    )
    return between(statement, game_value(payoff))


def linear_program(instance, statement):
    """Compare with the value found by the simplex method; proofs are not read."""
    unit, width = int(instance["unit"]), len(instance["objective"])
    require_small(width + len(instance["constraints"]), 8)
    constraints = []
    for terms, sense, bound in instance["constraints"]:
        form = dict.fromkeys(range(width), 0)
        for j, a in terms:
            form[j] += int(a)
        constraints.append((form, sense, int(bound)))
    objective = [Fraction(int(c), unit) for c in instance["objective"]]
    sides = [[None if e is None else Fraction(e) for e in instance[k]] for k in ("lower", "upper")]
    outcome = solve_linear_program(LinearProgram.minimise(objective, constraints, *sides))
    ends = {"infeasible": inf, "unbounded": -inf, "infinity": inf, "-infinity": -inf}
    value = ends[outcome.status] if outcome.status in ends else outcome.value  # noqa: SIM401
    low, high = (
        bound if bound is None else ends[bound] if bound in ends else Fraction(bound)
        for bound in (statement["lower"], statement["upper"])
    )
    return (low is None or low <= value) and (high is None or value <= high)


# --- Problems described by their size ------------------------------------------------------------


def family_rows(instance):
    size = int(instance["size"])
    require_small(size, 3)
    made = {"index": index, "augmented index": augmented_index}
    return tuple(made[instance["type"]](size).to_json()["rows"])


def equal_classes(n, k):
    """Return the minimax error of equality, from the game over the sizes of classes.

    Averaging a protocol over all permutations makes its error the same on all equal inputs, and on
    all other inputs. So the protocol is a mixture of partitions into at most k classes, some of
    which are rejected; only the sizes matter.
    """
    points = set()
    for sizes in sized(n, k):
        for rejects in product((0, 1), repeat=len(sizes)):
            lost = sum(s for s, r in zip(sizes, rejects, strict=True) if r)
            met = sum(s * (s - 1) for s, r in zip(sizes, rejects, strict=True) if not r)
            points.add((Fraction(lost, n), Fraction(met, max(1, n * (n - 1)))))
    best = [p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)]
    return game_value(tuple(zip(*best, strict=True)))


def sized(n, k, most=None):
    """Yield the sizes of at most k classes, in nonincreasing order."""
    if n == 0:
        yield ()
    elif k:
        for s in range(min(n, most or n), 0, -1):
            yield from ((s, *rest) for rest in sized(n - s, k - 1, s))


def family(instance, statement):
    k = statement["messages"]
    if instance["type"] == "equality":
        require_small(int(instance["size"]), 16)
        return between(statement, equal_classes(int(instance["size"]), k))
    if instance["type"] == "index" and int(instance["size"]) > 2:
        return between(statement, index_by_codes(int(instance["size"]), k))
    return between(statement, public_error(family_rows(instance), k))


def index_by_codes(d, k):
    """Return the minimax error of index with public coins: a best code, randomly translated."""
    require_small(comb(1 << d, min(k, 1 << d)), 10**5)
    words = range(1 << d)
    return min(
        Fraction(sum(min((x ^ c).bit_count() for c in code) for x in words), d << d)
        for code in combinations(words, min(k, 1 << d))
    )


# --- Interactive protocols -----------------------------------------------------------------------


def minimal(sets):
    """Return the sets of which no other one is a proper subset."""
    found = []
    for each in sorted(set(sets), key=len):
        if not any(other <= each for other in found):
            found.append(each)
    return found


def halves(lines):
    """Yield each division of some lines into two nonempty parts, once."""
    first, *others = lines
    for k in range(len(others)):
        for more in combinations(others, k):
            yield (first, *more), tuple(x for x in others if x not in more)


@cache
def trees(rows, bits, rounds):
    """Return the minimal sets of inputs on which trees err."""
    require_small(len(rows) * len(rows[0]) + 2 * max(0, bits - 2), 12)

    def wrong(A, B, answer):
        return frozenset((x, y) for x in A for y in B if rows[x][y] == "10"[answer])

    @cache
    def below(A, B, bits, speaker, rounds):
        found = [wrong(A, B, answer) for answer in (0, 1)]
        for side, lines in enumerate((A, B) if bits else ()):
            left = rounds if side == speaker else rounds - 1
            for parts in halves(lines) if left >= 0 else ():
                both = [
                    below(*((part, B) if side == 0 else (A, part)), bits - 1, side, left)
                    for part in parts
                ]
                require_small(len(both[0]) * len(both[1]), 10**5)
                found += [a | b for a in both[0] for b in both[1]]
        return minimal(found)

    lines = tuple(range(len(rows))), tuple(range(len(rows[0])))
    return below(*lines, bits, None, bits if rounds is None else rounds)


@cache
def pairs_of_messages(rows, bits):
    """Return the minimal sets of inputs on which a referee of messages of ``bits`` bits errs."""
    require_small(len(rows) * len(rows[0]), 12)
    found = []
    for i in range(min(bits, 4) + 1):
        lengths = (len(rows), min(1 << i, 8)), (len(rows[0]), min(1 << bits - i, 8))
        for a, b in product(*(list(partitions(*length)) for length in lengths)):
            choices = []
            for u, v in product(set(a), set(b)):
                met = [(x, y) for x, y in inputs(rows) if (a[x], b[y]) == (u, v)]
                both = [{cell for cell in met if rows[cell[0]][cell[1]] == bit} for bit in "10"]
                choices.append(both if all(both) else [set()])
            found += [frozenset().union(*chosen) for chosen in product(*choices)]
        found = minimal(found)
    return found


@cache
def interactive_error(rows, bits, rounds, *, referee):
    """Return the minimax error of two-way protocols, or of simultaneous messages."""
    bits = min(bits, 6)
    best = pairs_of_messages(rows, bits) if referee else trees(rows, bits, rounds)
    require_small(len(best) * len(inputs(rows)), 20000)
    return game_value(tuple(tuple(int(cell in each) for each in best) for cell in inputs(rows)))


def two_way(instance, statement):
    rows, bits, rounds = tuple(instance["rows"]), statement["bits"], statement["rounds"]
    return between(statement, interactive_error(rows, bits, rounds, referee=False))


def simultaneous(instance, statement):
    rows, bits = tuple(instance["rows"]), statement["bits"]
    return between(statement, interactive_error(rows, bits, None, referee=True))


MEANINGS = {
    "two_way_error": two_way,
    "simultaneous_error": simultaneous,
    "linear_program": linear_program,
    "matrix_game": matrix_game,
    "minimax_error": minimax,
    "communication_complexity": complexity,
    "distributional_error": distributional,
    "protocol_error": protocol_error,
    "family_error": family,
}


@cache
def simultaneous_bits(problem):
    """Return the least total number of bits, over all messages of both players."""
    rows, columns = len(problem.alice), len(problem.bob)
    least = 99
    for a, b in product(partitions(rows, rows), partitions(columns, columns)):
        known = {(a[x], b[y], problem.value(x, y)) for x, y in problem.inputs()}
        if len({cell[:2] for cell in known}) == len(known):
            least = min(least, max(a).bit_length() + max(b).bit_length())
    return least
