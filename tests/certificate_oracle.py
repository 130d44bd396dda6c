"""What the kinds of certificates mean, decided from the definitions by brute force.

`is_true` takes a certificate whose form is right, on a small instance, and decides whether each of
its bounds is true and each of its proofs shows what it says. It shares no code with the kernel and
none of its shortcuts: every protocol is listed, every set of hypotheses, every distribution that
matters (through exact matrix games), every element of a group.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import ceil, comb, log2

from ccsim.communication.private_coins.two_messages import two_message_error
from ccsim.communication.problem import CommunicationProblem
from ccsim.programs.game import solve_matrix_game

__all__ = ["MEANINGS", "is_true", "longest_thresholds", "mistake_bound", "shattered_size"]


def is_true(certificate):
    """Whether the statement is true and its proofs are right."""
    sides = ("instance", "statement", "lower", "upper")
    try:
        return all(MEANINGS[certificate["kind"]](*(certificate[side] for side in sides)))
    except (AssertionError, LookupError, ValueError):  # some part is missing or has no sense
        return False


def between(statement, value):
    """Whether a value lies between the stated bounds."""
    lower, upper = (statement[side] for side in ("lower", "upper"))
    return (lower is None or Fraction(lower) <= value) and (
        upper is None or value <= Fraction(upper)
    )


def proved(stated, value):
    """Whether a stated bound is what its proof gives."""
    return Fraction(stated) == value


# --- Groups and games --------------------------------------------------------------------------


def generated(symmetries):
    """All elements of a group, as triples of images of rows, of columns, and flips."""
    if not symmetries:
        return [None]
    rows, columns = (len(symmetries[0][key]) for key in ("rows", "columns"))
    one = (tuple(range(rows)), tuple(range(columns)), (0,) * columns)
    found, new = {one}, [one]
    for sigma, tau, flips in new:
        for s in symmetries:
            image = (
                tuple(s["rows"][x] for x in sigma),
                tuple(s["columns"][y] for y in tau),
                tuple(flips[y] ^ int(s["flips"][tau[y]]) for y in range(columns)),
            )
            if image not in found:
                found.add(image)
                new.append(image)
    return new


def are_symmetries(symmetries, rows):
    """Whether each is a pair of permutations that maps the matrix to itself, up to flips."""
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


@cache
def game_value(payoff):
    return solve_matrix_game(payoff).value


# --- Dimensions --------------------------------------------------------------------------------


def shattered_size(rows):
    """Largest number of columns on which the rows take all patterns; -1 without rows."""
    if not rows:
        return -1
    width = len(rows[0])
    return max(
        d
        for d in range(width + 1)
        for xs in combinations(range(width), d)
        if len({tuple(row[x] for x in xs) for row in rows}) == 1 << d
    )


@cache
def mistake_bound(rows):
    """Littlestone dimension by its recursive definition."""
    if not rows:
        return -1
    splits = [
        [tuple(row for row in rows if row[x] == bit) for bit in "01"] for x in range(len(rows[0]))
    ]
    below = (min(map(mistake_bound, parts)) for parts in splits if all(parts))
    return 1 + max(below, default=-1)


def longest_thresholds(rows):
    """Largest number of columns that have, in some order, ones from each on in some row."""
    if not rows:
        return -1
    width = len(rows[0])
    return max(
        k
        for k in range(width + 1)
        for xs in permutations(range(width), k)
        if {"0" * i + "1" * (k - i) for i in range(k)} <= {"".join(r[x] for x in xs) for r in rows}
    )


def vc(instance, statement, lower, upper, keys=("concepts", "points"), rows=None):
    rows = instance["rows"] if rows is None else rows
    yield between(statement, shattered_size(rows))
    if lower:
        listed, shattered = (lower[key] for key in keys)
        patterns = [[int(rows[c][x]) for x in shattered] for c in listed]
        yield len(shattered) == statement["lower"]
        yield patterns == [[i >> t & 1 for t in range(len(shattered))] for i in range(len(listed))]
    if upper and upper.get("method") == "size":
        size = max(len(set(rows)), 1 / 2)  # for the bound -1
        yield 2 ** statement["upper"] <= size < 2 ** (statement["upper"] + 1)
    elif upper and upper.get("method") == "spanning tree":
        crossed = [
            sum(rows[r][x] != rows[s][x] for r, s in upper["edges"]) for x in range(len(rows[0]))
        ]
        most = [1 + sum(sorted(crossed)[len(crossed) - d :]) for d in range(len(crossed) + 1)]
        yield statement["upper"] == max(d for d, labels in enumerate(most) if labels >= 2**d)
        yield is_tree(upper["edges"], len(rows))
    elif upper:
        yield are_symmetries(upper["symmetries"], rows)


def is_tree(edges, size):
    reached = {0}
    for r, s in edges:
        reached |= {r, s} if reached & {r, s} else set()
    return len(edges) == size - 1 and reached == set(range(size))


def dual_vc(instance, statement, lower, upper):
    points = range(len(instance["points"]))
    rows = ["".join(row[x] for row in instance["rows"]) for x in points]
    yield from vc(instance, statement, lower, upper, ("points", "concepts"), rows)


def littlestone(instance, statement, lower, upper):
    rows = instance["rows"]
    yield between(statement, mistake_bound(tuple(rows)))
    if lower:
        yield is_mistake_tree(lower["tree"], statement["lower"], rows, [])
    if upper:
        letters = upper.get("symmetries", [])
        yield are_symmetries(letters, rows)
        entries = upper["refutation"]
        spaces = [agreeing(entry["version_space"], rows) for entry in entries]
        for i, entry in enumerate(entries):
            yield mistake_bound(tuple(rows[c] for c in sorted(spaces[i]))) < entry["depth"]
            yield len({step[0] for step in entry["steps"]}) == len(entry["steps"])
            for x, b, e, *word in entry["steps"]:
                pairs = entries[e]["version_space"]
                for letter in (letters[number] for number in (word or [[]])[0]):
                    pairs = [[letter["columns"][y], a ^ int(letter["flips"][y])] for y, a in pairs]
                yield e < i
                yield entries[e]["depth"] < entry["depth"]
                yield {c for c in spaces[i] if rows[c][x] == str(b)} <= agreeing(pairs, rows)
        if entries:
            yield entries[-1]["depth"] == statement["upper"] + 1
            yield len(spaces[-1]) == len(rows)
        else:
            yield 2 ** statement["upper"] <= max(len(rows), 1 / 2) < 2 ** (statement["upper"] + 1)


def agreeing(pairs, rows):
    return {c for c, row in enumerate(rows) if all(row[x] == str(b) for x, b in pairs)}


def is_mistake_tree(node, depth, rows, path):
    if depth == 0:
        return isinstance(node, int) and node in agreeing(path, rows)
    x, *below = node
    return all(is_mistake_tree(below[b], depth - 1, rows, [*path, (x, b)]) for b in (0, 1))


def dimensions(instance, statement, lower, upper):
    for name, meaning in (("vc", vc), ("dual_vc", dual_vc), ("littlestone", littlestone)):
        sides = (side and side[name] for side in (lower, upper))
        yield from meaning(instance, statement[name], *sides)


# --- Protocols ---------------------------------------------------------------------------------


def inputs(rows):
    return [(x, y) for x, row in enumerate(rows) for y, bit in enumerate(row) if bit != "*"]


def wrong(alice, bob, x, y, bit):
    """Probability that tables of messages and answers err on an input."""
    return sum(
        Fraction(p) * (1 - Fraction(q) if bit == "1" else Fraction(q))
        for p, q in zip(alice[x], (answers[y] for answers in bob), strict=True)
    )


def protocol_errors(protocol, rows):
    """Number of messages, and the error on each input."""
    kind = protocol["kind"]
    if kind == "private-coin":
        parts = [(Fraction(1), protocol["alice"], protocol["bob"])]
    else:
        listed = protocol.get("components", [{**protocol, "weight": "1"}])
        parts = [
            (
                Fraction(c["weight"]),
                [[int(m == s) for m in range(len(c["bob"]))] for s in c["alice"]],
                c["bob"],
            )
            for c in listed
        ]
    [messages] = {len(bob) for _, _, bob in parts}
    assert sum(w for w, _, _ in parts) == 1
    errors = {
        (x, y): sum(w * wrong(alice, bob, x, y, rows[x][y]) for w, alice, bob in parts)
        for x, y in inputs(rows)
    }
    if symmetries := protocol.get("symmetries"):
        assert are_symmetries(symmetries, rows)
        group = generated(symmetries)
        errors = {
            (x, y): sum(errors[sigma[x], tau[y]] for sigma, tau, _ in group) / len(group)
            for x, y in errors
        }
    return messages, errors


def strategies(rows, k):
    """The sets of inputs on which the deterministic protocols with k messages err."""
    found = set()
    for sent in product(range(k), repeat=len(rows)):
        for answers in product(product("01", repeat=len(rows[0])), repeat=len(set(sent))):
            bob = dict(zip(sorted(set(sent)), answers, strict=True))
            found.add(frozenset((x, y) for x, y in inputs(rows) if bob[sent[x]][y] != rows[x][y]))
    return [each for each in found if not any(other < each for other in found)]


def is_small(rows, k):
    """Whether all protocols are listed; the proofs of both bounds are checked in any case."""
    return k ** len(rows) * 2 ** (k * len(rows[0])) < 2000


@cache
def least_error(rows, k):
    """The least worst-case error of public-coin protocols, as the value of their game."""
    cells = inputs(rows)
    return game_value(
        tuple(tuple(int(cell in each) for each in strategies(rows, k)) for cell in cells)
    )


def least_expected_error(distribution, rows, k):
    """The least expected error of a deterministic protocol."""
    weight = {(x, y): w for x, y, w in distribution["weights"]}
    assert sum(weight.values()) == distribution["total"]
    assert all(rows[x][y] != "*" for x, y in weight)
    xs = sorted({x for x, _ in weight})
    return min(
        sum(
            class_cost({x for x, m in zip(xs, sent, strict=True) if m == c}, weight, rows)
            for c in range(k)
        )
        for sent in product(range(k), repeat=len(xs))
    ) / Fraction(distribution["total"])


def class_cost(members, weight, rows):
    """What a class costs: on each column the lighter of its ones and its zeros."""
    return sum(
        min(
            sum(w for (x, z), w in weight.items() if x in members and z == y and rows[x][z] == bit)
            for bit in "01"
        )
        for y in range(len(rows[0]))
    )


def potentials_bound(distribution, potentials, rows, k):
    weight = {(x, y): w for x, y, w in distribution["weights"]}
    xs = sorted({x for x, _ in weight})
    u = dict(zip(xs, map(Fraction, potentials), strict=True))
    classes = [set(S) for r in range(len(xs) + 1) for S in combinations(xs, r)]
    excess = max(sum(u[x] for x in S) - class_cost(S, weight, rows) for S in classes)
    return (sum(u.values()) - k * excess) / distribution["total"]


def partitions_bound(distribution, proof, rows, k):
    weight = {(x, y): w for x, y, w in distribution["weights"]}
    assert are_symmetries(proof["symmetries"], rows)
    group = [g for g in generated(proof["symmetries"]) if g]
    assert all(
        weight.get((g[0][x], g[1][y]), 0) == w for g in group for (x, y), w in weight.items()
    )
    if proof["partition"] is not None:
        xs = sorted({x for x, _ in weight})
        classes = dict(zip(xs, proof["partition"], strict=True))
        assert all(0 <= c < k for c in classes.values())
        costs = (class_cost({x for x in xs if classes[x] == c}, weight, rows) for c in range(k))
        bound = Fraction(sum(costs), distribution["total"])
        assert bound == least_expected_error(distribution, rows, k)
        return bound
    kind = {x: min([x, *(g[0][x] for g in group)]) for x, _ in weight}
    kinds = sorted(set(kind.values()))
    cheapest = {}
    for r in range(len(kind) + 1):
        for S in combinations(kind, r):
            profile = tuple(sum(kind[x] == each for x in S) for each in kinds)
            cost = class_cost(set(S), weight, rows)
            cheapest[profile] = min(cost, cheapest.get(profile, cost))
    full = tuple(sum(each == other for other in kind.values()) for each in kinds)
    best = min(
        sum(cheapest[p] for p in parts)
        for parts in combinations_with_replacement(cheapest, k)
        if tuple(map(sum, zip(*parts, strict=True))) == full
    )
    return Fraction(best, distribution["total"])


def splits_without_conflict(rows, k):
    return any(
        all(
            sent[x] != sent[z] or {a, b} != {"0", "1"}
            for x, z in combinations(range(len(rows)), 2)
            for a, b in zip(rows[x], rows[z], strict=True)
        )
        for sent in product(range(k), repeat=len(rows))
    )


def forced(proof, rows, k, coins):
    """The error that a lower proof shows with so many messages."""
    if coins == "deterministic":
        return Fraction(not splits_without_conflict(rows, k))
    if "distribution" in proof:
        distribution = proof["distribution"]
        least = least_expected_error(distribution, rows, k)
        if "potentials" in proof:
            bound = potentials_bound(distribution, proof["potentials"], rows, k)
        elif "partitions" in proof:
            bound = partitions_bound(distribution, proof["partitions"], rows, k)
        else:
            bound = least
        assert bound <= least
        return bound
    assert coins == "private"
    [(name, part)] = proof.items()
    return {"radon": radon, "unsorted": unsorted, "boxes": boxes}[name](part, rows, k)


def radon(part, rows, k):
    xs = part["inputs"]
    assert len(set(xs)) == len(xs) == k + 1
    bounds = []
    for i, separation in enumerate(part["separations"], 1):
        g = [sum(w * int(rows[x][y]) for y, w in separation) for x in xs]
        inside, outside = ([g[t] for t in range(k + 1) if i >> t & 1 == b] for b in (1, 0))
        gap = min(inside) - max(outside)
        total = sum(abs(w) for _, w in separation)
        bounds.append(Fraction(gap, total + gap) if gap > 0 else Fraction(0))
    assert len(bounds) == 2**k - 1
    return min(bounds)


def unsorted(part, rows, k):
    assert k == 2
    columns = [y for y in range(len(rows[0])) if all(rows[x][y] != "*" for x in part)]
    for order in product(part, repeat=len(part)):
        if len(set(order)) == len(part):
            runs = [[rows[x][y] for x in order] for y in columns]
            assert any(sum(a != b for a, b in pairwise(r)) >= 2 for r in runs)
    return Fraction(1, 2)


def boxes(part, rows, k):
    """The least bound of a leaf, each by the vertices of its box."""
    x = part["ordered"]
    box = {("alice", z, m): (Fraction(0), Fraction(1)) for z in range(len(rows)) for m in range(k)}
    box |= {
        ("bob", y, m): (Fraction(0), Fraction(1)) for y in range(len(rows[0])) for m in range(k)
    }
    for m in range(k):
        box["alice", x, m] = (Fraction(0), Fraction(1, m + 1))
    box["alice", x, 0] = (Fraction(1, k), Fraction(1))
    nodes = iter(part["nodes"])
    bound = min(Fraction(1), subtree(nodes, box, rows, k))
    assert next(nodes, None) is None
    return bound


def subtree(nodes, box, rows, k):
    node = next(nodes)
    if isinstance(node, dict):
        return leaf_bound(node["weights"], box, rows, k)
    side, i, m, cut = node
    low, high = box[side, i, m]
    assert low < Fraction(cut) < high
    bounds = []
    for part in ((low, Fraction(cut)), (Fraction(cut), high)):
        child = {**box, (side, i, m): part}
        if side == "alice":
            ends = [child[side, i, j] for j in range(k)]
            for j in range(k):
                others = [end for t, end in enumerate(ends) if t != j]
                least = max(ends[j][0], 1 - sum(h for _, h in others))
                child[side, i, j] = (least, min(ends[j][1], 1 - sum(l for l, _ in others)))
        bounds.append(subtree(nodes, child, rows, k))
    return min(bounds)


def leaf_bound(weights, box, rows, k):
    """The minimum of the envelopes over the corners of the box."""
    variables = sorted({("bob", y, m) for _, y, _, _ in weights for m in range(k)})
    alices = sorted({x for x, _, _, _ in weights})
    best = None
    for answers in product(*(box[v] for v in variables)):
        b = dict(zip(variables, answers, strict=True))
        value = Fraction(0)
        for x in alices:
            value += min(
                sum(envelope(row, a, b, box, rows, k) for row in weights if row[0] == x)
                for a in law_corners([box["alice", x, m] for m in range(k)])
            )
        best = value if best is None else min(best, value)
    return best / sum(w for _, _, w, _ in weights)


def law_corners(ends):
    """The corners of the laws inside bounds: all entries but one are at a bound."""
    for j in range(len(ends)):
        for others in product(*(end for t, end in enumerate(ends) if t != j)):
            rest = 1 - sum(others)
            if ends[j][0] <= rest <= ends[j][1]:
                yield [*others[:j], rest, *others[j:]]


def envelope(row, a, b, box, rows, k):
    x, y, w, ts = row
    value = Fraction(0)
    for m in range(k):
        l, h = box["alice", x, m]
        low, high = box["bob", y, m]
        c = b["bob", y, m]
        if rows[x][y] == "1":
            low, high, c = 1 - high, 1 - low, 1 - c
        t = ts[m]
        assert 0 <= t <= w
        value += t * (l * c + low * a[m] - l * low) + (w - t) * (h * c + high * a[m] - h * high)
    return value


def minimax(instance, statement, lower, upper):
    rows, k, coins = tuple(instance["rows"]), statement["messages"], statement["coins"]
    if coins == "public" and is_small(rows, k):
        yield between(statement, least_error(rows, k))
    if coins == "private" and k == 2 and "*" not in "".join(rows):
        value = two_message_error(CommunicationProblem.from_matrix([[*map(int, r)] for r in rows]))
        yield statement["lower"] is None or value.upper >= Fraction(statement["lower"])
        yield statement["upper"] is None or value.lower <= Fraction(statement["upper"])
    if lower is not None:
        needless = lower == {} and proved(statement["lower"], 0)
        yield needless or proved(statement["lower"], forced(lower, rows, k, coins))
    if upper is not None:
        used, errors = protocol_errors(upper["protocol"], rows)
        yield used <= k
        yield proved(statement["upper"], max(errors.values()))


def complexity(instance, statement, lower, upper):
    rows, error, coins = tuple(instance["rows"]), Fraction(statement["error"]), statement["coins"]
    if lower:
        yield forced(lower, rows, statement["lower"] - 1, coins) > error
        if coins == "public" and is_small(rows, statement["lower"] - 1):
            yield least_error(rows, statement["lower"] - 1) > error
    elif lower is not None and coins == "deterministic" and statement["lower"] > 1:
        yield forced(lower, rows, statement["lower"] - 1, coins) > error
    elif lower is not None:
        yield statement["lower"] == 1
    if upper is not None:
        used, errors = protocol_errors(upper["protocol"], rows)
        yield used == statement["upper"]
        yield max(errors.values()) <= error


def distributional(instance, statement, lower, upper):
    rows, k, law = instance["rows"], statement["messages"], statement["distribution"]
    least = least_expected_error(law, rows, k)
    yield between(statement, least)
    if lower is not None:
        hints = {"distribution": law} | lower
        yield proved(statement["lower"], forced(hints, rows, k, "public"))
    if upper:
        used, errors = protocol_errors(upper["protocol"], rows)
        yield used <= k
        mean = sum(w * errors[x, y] for x, y, w in law["weights"]) / Fraction(law["total"])
        yield proved(statement["upper"], mean)


def protocol_error(instance, statement, lower, upper):
    _, errors = protocol_errors(statement["protocol"], instance["rows"])
    if lower:
        yield proved(statement["lower"], errors[tuple(lower["input"])])
    if upper is not None:
        yield proved(statement["upper"], max(errors.values()))


def matrix_game(instance, statement, lower, upper):
    payoff = [[Fraction(p) for p in row] for row in instance["payoff"]]
    yield between(statement, game_value(tuple(map(tuple, payoff))))
    if lower:
        law = [Fraction(p) for p in lower["row_strategy"]]
        yield sum(law) == 1
        columns = zip(*payoff, strict=True)
        yield proved(statement["lower"], min(dot(law, column) for column in columns))
    if upper:
        law = [Fraction(p) for p in upper["column_strategy"]]
        yield sum(law) == 1
        yield proved(statement["upper"], max(dot(law, row) for row in payoff))


def dot(law, values):
    return sum((p * v for p, v in zip(law, values, strict=True)), Fraction(0))


# --- Representations ---------------------------------------------------------------------------


def differs(h, f):
    return [int(a != b) for a, b in zip(h, f, strict=True)]


@cache
def set_error(H, f):
    """The largest error of the best hypothesis of a set, over distributions on the points."""
    return game_value(tuple(zip(*(differs(h, f) for h in H), strict=True)))


@cache
def failure(support, f, error):
    """The largest weight of sets that fail together on a concept under one distribution."""
    worst = Fraction(0)
    for r in range(1, len(support) + 1):
        for failing in combinations(support, r):
            together = tuple(sorted({h for _, H in failing for h in H}))
            if set_error(together, f) > error:
                worst = max(worst, sum(w for w, _ in failing))
    return worst


def read_support(listed):
    support = tuple((Fraction(each["weight"]), tuple(each["hypotheses"])) for each in listed)
    assert sum(w for w, _ in support) == 1
    return support


def disagreement(H, weights, f):
    """The largest weighted disagreement with a concept, over the points."""
    assert sum(map(Fraction, weights)) == 1
    return max(
        sum(Fraction(w) * (h[x] != f[x]) for w, h in zip(weights, H, strict=True))
        for x in range(len(f))
    )


def deterministic(instance, statement, lower, upper):
    rows, H = instance["rows"], tuple(statement["hypotheses"])
    yield between(statement, max(set_error(H, f) for f in rows))
    if lower:
        law = [Fraction(p) for p in lower["distribution"]]
        yield sum(law) == 1
        errors = [dot(law, differs(h, rows[lower["concept"]])) for h in H]
        yield proved(statement["lower"], min(errors))
    if upper:
        found = [disagreement(H, w, f) for w, f in zip(upper["weights"], rows, strict=True)]
        yield proved(statement["upper"], max(found))


def probabilistic(instance, statement, lower, upper):
    rows, error = instance["rows"], Fraction(statement["error"])
    support = read_support(statement["support"])
    yield between(statement, max(failure(support, f, error) for f in rows))
    if lower:
        law, f = [Fraction(p) for p in lower["distribution"]], rows[lower["concept"]]
        yield sum(law) == 1
        missed = (w for w, H in support if min(dot(law, differs(h, f)) for h in H) > error)
        yield proved(statement["lower"], sum(missed))
    if upper is not None:
        yield proved(statement["upper"], failure_bound(upper, rows, support, error))


def failure_bound(proof, rows, support, error):
    """What a proof about a failure probability gives."""
    if proof == {}:
        return Fraction(1)
    if proof["method"] == "selection":
        found = []
        for f, chosen in zip(rows, proof["selections"], strict=True):
            v = max(
                sum(
                    w * Fraction(a) * (h[x] != f[x])
                    for (w, H), law in zip(support, chosen, strict=True)
                    for a, h in zip(law, H, strict=True)
                )
                for x in range(len(f))
            )
            found.append(min(Fraction(1), v / error) if error else Fraction(v > 0))
        return max(found)
    trees = zip(rows, proof["trees"], strict=True)
    return max(small(tree, f, support, error, (), 0) for f, tree in trees)


def small(node, f, support, error, included, depth):
    """The largest weight not excluded at the leaves that are not blocked."""
    if node == "small":
        out = [i for i in range(depth) if i not in included]
        return 1 - sum(support[i][0] for i in out)
    if isinstance(node, dict):
        blocked = node["blocked"]
        assert all(i in included for i, _, _ in blocked)
        H = [support[i][1][j] for i, j, _ in blocked]
        assert disagreement(H, [w for _, _, w in blocked], f) <= error
        return Fraction(0)
    inside, outside = node
    assert depth < len(support)
    return max(
        small(inside, f, support, error, (*included, depth), depth + 1),
        small(outside, f, support, error, included, depth + 1),
    )


def pool_of(statement, width):
    if statement["pool"] is None:
        return ["".join(bits) for bits in product("01", repeat=width)]
    return statement["pool"]


@cache
def fewest(rows, pool, error):
    """The least number of hypotheses of a pool that represent a class."""
    for k in range(1, len(pool) + 1):
        if any(all(set_error(H, f) <= error for f in rows) for H in combinations(pool, k)):
            return k
    return None


def neighbourhoods(proof, rows, pool, error):
    """The hypotheses of each listed neighbourhood."""
    found = []
    for f, weights in proof["neighbourhoods"]:
        allowed = error * sum(weights)
        found.append({h for h in pool if dot(weights, differs(h, rows[f])) <= allowed})
    return found


def deterministic_size(instance, statement, lower, upper):
    rows, error = tuple(instance["rows"]), Fraction(statement["error"])
    pool = tuple(pool_of(statement, len(rows[0])))
    if len(pool) <= 8:  # else the proofs decide
        truth = fewest(rows, pool, error)
        yield truth is None or between(statement, truth)
    if lower:
        method = lower["method"]
        if method == "littlestone":
            yield from mistake_tree_size(lower, rows, error, statement["lower"])
        elif method == "separation":
            yield from separation(lower["points"], rows, statement["lower"])
        elif method == "branching":
            sets = neighbourhoods(lower, rows, pool, error)
            k = statement["lower"] - 1
            yield not any(all(set(H) & each for each in sets) for H in combinations(pool, k))
    if upper:
        H = upper["hypotheses"]
        yield len(set(H)) == statement["upper"]
        yield set(H) <= set(pool)
        for weights, f in zip(upper["weights"], rows, strict=True):
            yield disagreement(H, weights, f) <= error


def mistake_tree_size(proof, rows, error, least):
    """Whether a mistake tree proves that ``(1 - H(error)) d`` bits are needed, and no fewer."""
    depth, e = proof["dimension"], float(error)
    yield is_mistake_tree(proof["proof"]["tree"], depth, rows, [])
    yield 2 * error <= 1
    entropy = -sum(p * log2(p) for p in (e, 1 - e) if p)
    needed = 2 ** ((1 - entropy) * depth)
    yield least - 1 < needed <= least + 1e-9 if least > 1 else needed <= 1 + 1e-9


def separation(points, rows, least):
    """Whether so many hypotheses, and no fewer, can tell points apart that some concepts do."""
    columns = ["".join(row[x] for row in rows) for x in points]
    yield len(set(columns)) == len(columns)
    both = all(
        any((a, b) == ("1", "0") for a, b in zip(c, d, strict=True))
        for c in columns
        for d in columns
        if c != d
    )
    most = [comb(n, n // 2) if both else 2**n for n in (least - 1, least)]
    yield least == 1 or most[0] < len(columns)
    yield most[1] >= len(columns)


def missed_weight(proof, rows, pool, error, k):
    """The least share of a mixture of neighbourhoods that k hypotheses miss."""
    sets = neighbourhoods(proof, rows, pool, error)
    weights = proof["weights"]
    return min(
        Fraction(
            sum(w for w, each in zip(weights, sets, strict=True) if not set(H) & each), sum(weights)
        )
        for H in combinations(pool, min(k, len(pool)))
    )


def drawn(proof, rows, pool, error):
    """The size of the largest set of a representation and the bound on its failure."""
    support = read_support(proof["support"])
    assert all(set(H) <= set(pool) for _, H in support)
    bound = failure_bound(proof["failure"], rows, support, error)
    assert max(failure(support, f, error) for f in rows) <= bound
    return max(len(set(H)) for _, H in support), bound


def least_failure(instance, statement, lower, upper):
    rows, error, k = instance["rows"], Fraction(statement["error"]), statement["size"]
    pool = pool_of(statement, len(rows[0]))
    if lower:
        yield Fraction(statement["lower"]) <= missed_weight(lower, rows, pool, error, k)
    elif lower is not None:
        yield proved(statement["lower"], 0)
    if upper:
        size, bound = drawn(upper, rows, pool, error)
        yield size <= k
        yield proved(statement["upper"], bound)


def probabilistic_size(instance, statement, lower, upper):
    rows, error, allowed = (
        instance["rows"],
        Fraction(statement["error"]),
        Fraction(statement["failure"]),
    )
    pool, k = pool_of(statement, len(rows[0])), (statement["lower"] or 1) - 1
    if lower and lower["method"] == "mixture" and k:
        yield missed_weight(lower, rows, pool, error, k) > allowed
    elif lower and lower["method"] == "littlestone":
        both = 1 - (1 - error) * (1 - allowed)
        yield from mistake_tree_size(lower, rows, both, statement["lower"])
    elif lower == {}:
        yield k == 0
    if upper:
        size, bound = drawn(upper, rows, pool, error)
        yield size == statement["upper"]
        yield bound <= allowed


# --- Privacy -----------------------------------------------------------------------------------


def privacy(instance, statement, lower, upper):
    laws = [[Fraction(p) for p in law] for law in instance["laws"]]
    yield all(sum(law) == 1 for law in laws)
    if instance["type"] == "mechanism of qualities":
        functions = [tuple(map(Fraction, q)) for q in instance["qualities"]]
        yield len(set(functions)) == len(laws)
        near = pairs_of_qualities(functions, instance["growth"])
        if instance["pairs"] is not None:
            yield all((i, j) in near for i, j in instance["pairs"])
            near = {pair for i, j in instance["pairs"] for pair in ((i, j), (j, i))}
        yield from least_delta(laws, near, instance, statement, lower)
        return
    size, records = instance["size"], range(len(instance["records"]))
    listed = combinations_with_replacement if instance["symmetric"] else product
    databases = list(
        listed(records, size) if instance["symmetric"] else product(records, repeat=size)
    )
    pairs = [
        (i, j)
        for i, first in enumerate(databases)
        for j, second in enumerate(databases)
        if are_neighbours(first, second, symmetric=instance["symmetric"])
    ]
    if (rule := instance.get("neighbours")) is not None:
        yield 0 <= rule["public"] < (1 if instance["symmetric"] else size)
        yield len(rule["groups"]) == len(records)
        pairs = [(i, j) for i, j in pairs if agree_on_public(databases[i], databases[j], **rule)]
    yield from least_delta(laws, pairs, instance, statement, lower)


def agree_on_public(first, second, *, public, groups):
    """Whether neighbours have the same first entries, and the same groups of records elsewhere."""
    same = sorted(groups[r] for r in first) == sorted(groups[r] for r in second)
    return first[:public] == second[:public] and same


def pairs_of_qualities(functions, growth):
    """Ordered pairs at distance at most 1; a record is taken away, and another one is added."""
    found = set()
    for (i, p), (j, q) in product(enumerate(functions), repeat=2):
        common = [min(a, b) for a, b in zip(p, q, strict=True)]
        added = [sum(v > c for v, c in zip(r, common, strict=True)) for r in (p, q)]
        most = max(v - c for r in (p, q) for v, c in zip(r, common, strict=True))
        if 0 < most <= 1 and (growth is None or max(added) <= growth):
            found.add((i, j))
    return found


def least_delta(laws, pairs, instance, statement, lower):
    factor = Fraction(statement["factor"])

    def excess(i, j, event):
        return sum((laws[i][o] - factor * laws[j][o] for o in event), Fraction(0))

    outcomes = range(len(instance["outcomes"]))
    events = [E for r in range(len(outcomes) + 1) for E in combinations(outcomes, r)]
    every = (excess(i, j, event) for i, j in pairs for event in events)
    yield between(statement, max(every, default=Fraction(0)))
    if lower:
        yield (lower["database"], lower["neighbour"]) in pairs
        found = excess(lower["database"], lower["neighbour"], lower["event"])
        yield proved(statement["lower"], found)


def are_neighbours(first, second, *, symmetric):
    """Whether replacing one entry leads from one database to the other, which is another one."""
    if not symmetric:
        return sum(a != b for a, b in zip(first, second, strict=True)) == 1
    left = list(second)
    for entry in first:
        if entry in left:
            left.remove(entry)
    return len(left) == 1


def packing(instance, statement, lower, upper):
    rows, accuracy = instance["rows"], Fraction(statement["accuracy"])
    failure_allowed, factor = Fraction(statement["failure"]), Fraction(statement["factor"])
    targets = [(rows[f], [Fraction(p) for p in law]) for f, law in lower["targets"]]
    yield all(sum(law) == 1 for _, law in targets)
    for h in pool_of(statement, len(rows[0])):
        yield sum(dot(law, differs(h, f)) <= accuracy for f, law in targets) <= 1
    f, D = targets[lower["center"]]
    distances = [
        1 - sum((min(p, q) for p, q, a, b in zip(D, E, f, g, strict=True) if a == b), Fraction(0))
        for i, (g, E) in enumerate(targets)
        if i != lower["center"]
    ]

    def possible(m):
        growths = [1 + t * (factor - 1) for t in distances]
        return sum(largest_share(failure_allowed, g, m) for g in growths) <= failure_allowed

    m = statement["lower"]
    yield possible(m)
    yield m == 0 or not possible(m - 1)
    yield upper is None


def largest_share(failure_allowed, growth, steps):
    """What is left of a success after some steps that shrink it, or that grow the failure."""
    return max((1 - failure_allowed * growth**s) / growth ** (steps - s) for s in range(steps + 1))


def release(instance, statement, lower, upper):
    rows, points = instance["rows"], lower["points"]
    accuracy, allowed, factor = (
        Fraction(statement[key]) for key in ("accuracy", "failure", "factor")
    )
    yield all(any(row[x] != row[z] for row in rows) for x, z in combinations(points, 2))

    def possible(m):
        share = largest_share(allowed, factor, ceil(2 * accuracy * m))
        return (len(points) - 1) * share <= allowed

    m = statement["lower"]
    yield possible(m)
    yield not any(map(possible, range(1, m)))
    yield upper is None


MEANINGS = {
    "matrix_game": matrix_game,
    "vc_dimension": vc,
    "dual_vc_dimension": dual_vc,
    "littlestone_dimension": littlestone,
    "dimensions": dimensions,
    "minimax_error": minimax,
    "communication_complexity": complexity,
    "distributional_error": distributional,
    "protocol_error": protocol_error,
    "deterministic_representation": deterministic,
    "deterministic_representation_size": deterministic_size,
    "probabilistic_representation": probabilistic,
    "probabilistic_representation_size": probabilistic_size,
    "least_failure": least_failure,
    "privacy": privacy,
    "packing": packing,
    "release": release,
}
