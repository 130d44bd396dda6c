"""Section 2.3: Yao's principle and error reduction; section 3.1: Newman's theorem and equality."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import cast

from ccsim import (
    CommunicationProblem,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    amplify,
    distributional_error,
    fewest_seeds,
    newman,
    worst_error,
)
from ccsim.communication import DeterministicProtocol, FewestSeeds, error_table, newman_seeds
from ccsim.communication.problem import equality
from ccsim.exact import Epsilon
from ccsim.instances import parse_problem
from ccsim.learning.sample_size import log_ceiling
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times
from protocols import EqualityHashing

Weights = Mapping[tuple[int, int], Fraction]


def _hardest(problem: CommunicationProblem, messages: int) -> Weights:
    found = least_error(problem, messages).distribution
    return {} if found is None else found.as_mapping()


def _uniform(problem: CommunicationProblem, _messages: int) -> Weights:
    return dict.fromkeys(problem.inputs(), Fraction(1, len(problem.inputs())))


GAMES = {
    "equality:n=3": (2,),
    "equality:n=5": (2, 3, 4),
    "greater_than:n=6": (3,),
    "thresholds:b=3": (4,),
    "lines:p=2": (2, 3),
    "index:d=3": (2,),
    "augmented_index:d=3": (3,),
    "random:m=6,n=6,seed=0": (2, 3),
}
MORE_GAMES = {"lines:p=3": (2,), "parities:n=3": (2, 3, 4), "random:m=8,n=8,seed=0": (2, 3, 4)}


@claim(
    "fx/eq-2.1",
    "eq. (2.1)",
    "Yao's principle",
    Kind.THEOREM,
    over=table("instance messages", *((text, k) for text, ks in GAMES.items() for k in ks)).medium(
        *((text, k) for text, ks in MORE_GAMES.items() for k in ks)
    ),
    near=[
        near("The statement for private coins.", coins="private"),
        near("The statement under the uniform distribution.", mu=_uniform),
        near("The deterministic protocol has one message fewer.", allowed=plus(-1)),
    ],
)
def yao(
    instance: str,
    messages: int,
    *,
    coins: str = "public",
    mu: Callable[[CommunicationProblem, int], Weights] = _hardest,
    allowed: Callable[[int], int] = int,
) -> Decision:
    """The least worst-case error of a public-coin one-way protocol with k messages equals the
    maximum, over distributions mu of the inputs, of the least expected error of a deterministic
    protocol with k messages. Checked: for one distribution, the least expected error equals the
    error of the optimal protocol, and for no distribution is it larger.
    """
    problem = parse_problem(instance)
    fixed = recheck(distributional_error(problem, mu(problem, messages), allowed(messages)))
    return equal(least_error(problem, messages, coins), fixed.value)


@cache
def _with_error(instance: str, messages: int, error: Fraction) -> PrivateCoinProtocol:
    """Return an optimal protocol, mixed with fair coins of Bob to have exactly the given error."""
    problem = parse_problem(instance)
    best = cast("PrivateCoinProtocol", least_error(problem, messages, "private").protocol)
    worst = worst_error(best, problem).value
    weight = (error - worst) / (Fraction(1, 2) - worst)
    bob = (tuple((1 - weight) * p + weight / 2 for p in row) for row in best.bob)
    return PrivateCoinProtocol(best.alice, tuple(bob))


@claim(
    "fx/eq-2.2",
    "eq. (2.2) of the full version, as read",
    "Error reduction by repetition",
    Kind.LEMMA,
    over=grid(
        instance=["greater_than:n=3"],
        coins=["public", "private"],
        gamma=["1/4", "1/9", "1/16", "1e-60"],
    ),
    near=[
        near("3, 11 or 19 runs are enough for 1/4, 1/9 or 1/16.", runs=plus(-2)),
        near("ceil(16.2 ln(1/gamma)) runs are enough.", constant=times(Fraction(9, 10))),
        near("The statement from error 1/3 + 1/50.", start=plus(Fraction(1, 50))),
        near(
            "The cost of r runs is at most r times the bits of one run, minus one bit.",
            bits=plus(-1),
        ),
    ],
)
def error_reduction(
    instance: str,
    coins: str,
    gamma: str,
    *,
    start: Fraction = Fraction(1, 3),
    runs: Callable[[str], int] = lambda gamma: {"1/4": 5, "1/9": 13, "1/16": 21}[gamma],
    constant: Fraction | int = 18,
    bits: Callable[[int, int], int] = lambda runs, bits: runs * bits,
) -> Decision:
    """The majority of 5, 13 or 21 independent runs of a protocol with error at most 1/3, with
    public or private coins, has error at most 1/4, 1/9 or 1/16. In general ceil(18 ln(1/gamma))
    runs, rounded up to an odd number, have error at most gamma, and r runs cost at most r times the
    bits of one run. Checked exactly from error 1/3 by the binomial distribution, which agrees with
    the table of all messages of 3 runs.
    """
    private = _with_error(instance, 2, start)
    base = private if coins == "private" else private.to_public_coin()
    problem, goal = parse_problem(instance), Fraction(gamma)
    numbers = {log_ceiling(Fraction(constant), 1 / goal, Epsilon.of(1)) | 1}
    numbers |= {runs(gamma)} if goal >= Fraction(1, 16) else set()
    distribution = amplify(base, 3)
    same = error_table(distribution.tabulate(), problem) == error_table(distribution, problem)
    errors = ((r, worst_error(amplify(base, r), problem).value) for r in numbers)
    return all_of(
        [
            *((f"{r} runs", at_most(error, goal)) for r, error in errors),
            ("3 runs", holds(same, "the table has the errors of the binomial distribution")),
            ("their bits", at_most(distribution.tabulate().cost_bits, bits(3, base.cost_bits))),
        ]
    )


@cache
def _fewest(instance: str, messages: int, rise: Fraction) -> FewestSeeds:
    """Return the least number of seeds with which the error rises by at most ``rise``."""
    best = least_error(parse_problem(instance), messages)
    return recheck(fewest_seeds(best.protocol.to_public_coin(), best.problem, rise))


@claim(
    "fx/app-newman",
    "eq. (3.2)",
    "A finite form of Newman's theorem",
    Kind.THEOREM,
    over=table(
        "instance messages gamma",
        *(("equality:n=3", 2, gamma) for gamma in ("3/4", "2/9")),
        *((text, 2, "1/5") for text in ("equality:n=4", "thresholds:b=2", "greater_than:n=4")),
    )
    .medium(("equality:n=6", 3, "1/4"))
    .large(("thresholds:b=3", 4, "1/8")),
    near=[
        near("One seed fewer is enough.", seeds=plus(-1)),
        near(
            "The stated number of seeds increases the error by at most 3 gamma / 7.",
            rise=times(Fraction(3, 7)),
        ),
        near(
            "The least number of seeds for gamma increases the error by at most gamma/2.",
            share=times(Fraction(1, 2)),
        ),
    ],
)
def newman_theorem(
    instance: str,
    messages: int,
    gamma: str,
    *,
    seeds: Callable[[int, Fraction], int] = newman_seeds,
    rise: Callable[[Fraction], Fraction] = Fraction,
    share: Fraction = Fraction(1),
) -> Decision:
    """For every public-coin protocol there is a list of floor(ln(|X||Y|) / (2 gamma^2)) + 1 seeds
    such that, if Alice draws a seed from the list and sends it, the worst-case error increases by
    at most gamma. Hence, for an error larger by gamma, the number of messages with private coins is
    at most the number with public coins times the number of seeds. Checked against the least
    sufficient number of seeds for optimal protocols, and on a list found by sampling.
    """
    best, loss = least_error(parse_problem(instance), messages), Fraction(gamma)
    number = seeds(len(best.problem.inputs()), loss)
    few = _fewest(instance, messages, rise(loss))
    error = worst_error(few.protocol, best.problem).value
    drawn = newman(best.protocol.to_public_coin(), best.problem, loss, seed=0)
    sampled = worst_error(drawn.protocol, best.problem).value
    return all_of(
        [
            ("messages", at_most(few.protocol.messages, number * messages)),
            ("error", at_most(error, best.value + share * rise(loss), trivial=1)),
            ("sampled list", at_most(sampled, best.value + rise(loss), trivial=1)),
            ("its messages", at_most(drawn.protocol.messages, number * messages)),
        ]
    )


def _inner_products(bits: int, number: int, vectors: Iterable[int]) -> PublicCoinProtocol:
    """Return the protocol in which Alice sends inner products with random vectors."""

    def part(drawn: tuple[int, ...]) -> DeterministicProtocol:
        sent = tuple(
            sum(((x & v).bit_count() & 1) << i for i, v in enumerate(drawn))
            for x in range(1 << bits)
        )
        bob = (sum((s == m) << y for y, s in enumerate(sent)) for m in range(1 << number))
        return DeterministicProtocol(sent, tuple(bob), 1 << bits)

    coins = list(product(vectors, repeat=number))
    return PublicCoinProtocol.mixture((Fraction(1, len(coins)), part(drawn)) for drawn in coins)


@claim(
    "fx/app-eq-hash",
    "section 3.1",
    "Equality by hashing",
    Kind.EXAMPLE,
    over=table(
        "bits products", *((b, t) for b in (1, 2, 3) for t in (1, 2, 3) if b * t < 9)
    ).medium((3, 3), (4, 2), (5, 2)),
    near=[
        near("The statement with uniform nonzero vectors.", least=plus(1)),
        near("The error on different inputs is 10/11 2^-t.", error=times(Fraction(10, 11))),
        near("t - 1 bits are enough.", cost=plus(-1)),
    ],
)
def equality_by_hashing(
    bits: int,
    products: int,
    *,
    least: int = 0,
    error: Callable[[int], Fraction] = lambda t: Fraction(1, 2**t),
    cost: Callable[[int], int] = int,
) -> Decision:
    """Alice sends the inner products of her string with t uniform public vectors, that is, t bits.
    Then equality of b-bit strings is decided with error 0 on equal inputs and error exactly 2^-t on
    different inputs. This is the error that `EqualityHashing` states.
    """
    protocol = _inner_products(bits, products, range(least, 1 << bits))
    problem = equality(1 << bits)
    errors = error_table(protocol, problem)
    library = EqualityHashing(bits, products).tabulate()
    return all_of(
        [
            *(((x, y), equal(errors[x, y], 0 if x == y else error(products))) for x, y in errors),
            ("library", holds(error_table(library, problem) == errors, "it has these errors")),
            ("bits", at_most(protocol.cost_bits, cost(products))),
        ]
    )
