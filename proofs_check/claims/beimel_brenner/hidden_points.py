"""Section 6: an efficient proper learner of hidden points would break the generator."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.learning import PrivateOccam
from proofs_check.claims.beimel_brenner.constructions.hidden_points import (
    FeedbackGenerator,
    distinguish,
)
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import vc_dimension
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)
LN_16 = Epsilon.of("ln 16")
ASSUMPTION = (
    "depends on the existence of pseudorandom generators and is about all efficient learners"
)
SHAPES = table("seed output", (1, 3), (2, 3), (2, 4), (3, 5)).medium((3, 6), (4, 6), (5, 7))


def hidden_generator(seed: int, output: int) -> FeedbackGenerator:
    """Return the generator whose next bit is the sum of the register's first and last bit."""
    return FeedbackGenerator(seed, output, 1 | 1 << (seed - 1))


@claim(
    "bbkn/sec-6-defs",
    "section 6",
    "Points of a pseudorandom generator",
    Kind.DEFINITION,
    over=SHAPES,
    near=[
        near("The class has 2^l - 1 concepts.", size=plus(-1)),
        near("The VC dimension is 2.", vc=plus(1)),
        near("The next bit equals the last one.", taps=1),
    ],
)
def hidden_classes(
    seed: int,
    output: int,
    *,
    size: Callable[[int], int] = lambda seed: 2**seed,
    vc: int = 1,
    taps: int | None = None,
) -> Decision:
    """The class of the points G(r), for a generator G that maps l bits to d bits, has at most 2^l
    concepts (exactly 2^l if G is one-to-one) and VC dimension 1. Checked for a linear feedback
    shift register: a string is an output if and only if each bit from the l-th on is the sum modulo
    2 of the bit before it and, for l > 1, the bit l places before it.
    """
    G = hidden_generator(seed, output)
    C, back = G.hidden_points(), G.taps if taps is None else taps

    def recurs(string: int) -> bool:
        bits = [string >> (output - 1 - i) & 1 for i in range(output)]
        places = [k for k in range(seed) if back >> k & 1]
        return all(bits[i] == sum(bits[i - 1 - k] for k in places) % 2 for i in range(seed, output))

    literal = [1 << string for string in range(2**output) if recurs(string)]
    return all_of(
        [
            ("the recurrence", holds(sorted(C.rows) == literal, "the points of its strings")),
            ("the number", equal(len(C), size(seed))),
            ("VC dimension", equal(vc_dimension(C), vc)),
        ]
    )


@claim(
    "bbkn/no-efficient-proper-printed",
    "section 6, item (2), as printed",
    "The image of a generator with l-bit seeds has at most l points",
    Kind.ERRATUM,
    over=SHAPES,
    near=[
        near("The probability is at most 2^l/2^d.", size=lambda seed: 2**seed),
        near("The probability is at most (8/3) l/2^d, for l <= 3.", size=times(Fraction(8, 3))),
    ],
    recorded=Verdict.FAILS,
    survives="yes: if d - l grows faster than log d, see bbkn/no-efficient-proper-image",
)
def printed_image(
    seed: int, output: int, *, size: Callable[[int], int | Fraction] = int
) -> Decision:
    """As printed: a uniform d-bit string is in the image of a generator with l-bit seeds with
    probability at most l/2^d."""
    image = Fraction(len(hidden_generator(seed, output).image), 2**output)
    return at_most(image, Fraction(size(seed), 2**output), trivial=1)


@claim(
    "bbkn/no-efficient-proper-image",
    "section 6, item (2), corrected",
    "The image of a generator with l-bit seeds has at most 2^l points",
    Kind.LEMMA,
    over=table("seed output", (1, 2), (1, 3), (2, 3)),
    near=near("The probability is below 2^(l-d).", size=lambda seed: 2**seed - 1),
    corrects="bbkn/no-efficient-proper-printed",
)
def share_of_the_image(
    seed: int, output: int, *, size: Callable[[int], int] = lambda seed: 2**seed
) -> Decision:
    """A uniform d-bit string is in the image of a generator with l-bit seeds with probability at
    most 2^(l-d), which some generator attains. So the probability is negligible only if d - l grows
    faster than log d. Checked for all maps from l bits to d bits."""
    bound = Fraction(size(seed), 2**output)
    maps = product(range(2**output), repeat=2**seed)
    return all_of((f, at_most(Fraction(len(set(f)), 2**output), bound, trivial=1)) for f in maps)


@claim(
    "bbkn/no-efficient-proper",
    "section 6",
    "No efficient proper private learner",
    Kind.THEOREM,
    over=SHAPES,
    near=[
        near("The statement for a learner that can output all points.", proper=False),
        near("The statement for 3 copies.", copies=plus(-1)),
        near("The probability for uniform j is 10/11 2^(l-d).", image=times(Fraction(10, 11))),
    ],
    uses=["bbkn/sec-6-defs", "bbkn/no-efficient-proper-image"],
    recorded=Verdict.NOT_DECIDED,
    reason=f"{ASSUMPTION}; checked for small generators: the exact "
    "probabilities of a proper private learner on outputs and on uniform strings",
)
def proper_learners_distinguish(
    seed: int,
    output: int,
    *,
    proper: bool = True,
    copies: int = 4,
    image: Callable[[int, int], Fraction] = lambda seed, output: Fraction(1, 2 ** (output - seed)),
) -> Decision:
    """If G is a pseudorandom generator, no efficient proper learner of its points exists: from
    copies of (j, 1), such a learner outputs c_j with probability 1 - failure if j is an output of
    G, and never otherwise, hence with probability at most 2^(l-d) for uniform j. Checked: with
    epsilon = ln 16, the exponential mechanism over the 2^l points outputs c_j from 4 copies with
    failure probability (2^l - 1) / (2^l - 1 + 16^2).
    """
    G = hidden_generator(seed, output)
    rows = G.hidden_points().rows if proper else tuple(1 << j for j in range(2**output))
    found = distinguish(PrivateOccam(2**output, rows, LN_16), G, copies)
    right = Fraction(16**2, 2**seed - 1 + 16**2)
    return all_of(
        [
            ("strings", at_most(rational(found.on_strings), image(seed, output), trivial=1)),
            ("outputs", equal(rational(found.on_outputs), right)),
        ]
    )
