"""Point functions whose points a generator hides, and learners turned into distinguishers.

`bbkn` section 6: ``G`` maps short seeds to long strings; the class consists of the point functions
of its image. A proper learner that succeeds on copies of one positive example recognises the image.
If ``G`` is pseudorandom, no efficient algorithm recognises it; no finite computation decides this
assumption. Here ``G`` is a toy generator without any secrecy, so small that the output distribution
of a learner is computed exactly.
"""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.exponentials import Real
from ccsim.learning.learners.occam import Example
from ccsim.privacy.constructions import Mechanism

__all__ = ["Distinguisher", "FeedbackGenerator", "distinguish"]

MAX_BITS = 12
"""Maximum number of output bits; all strings are listed."""


@validated
class FeedbackGenerator:
    """A linear feedback shift register; its output is easily distinguished from random bits.

    Attributes
    ----------
    seed_bits, output_bits : int
        The output begins with the seed; it is not shorter.
    taps : int
        Bit mask of the last ``seed_bits`` bits whose sum modulo 2 is the next bit; bit 0 is the
        last one.

    Examples
    --------
    >>> G = FeedbackGenerator(2, 4, 0b11)
    >>> [f"{G(seed):04b}" for seed in range(4)]
    ['0000', '0110', '1011', '1101']
    """

    seed_bits: int
    output_bits: int
    taps: int

    def __post_init__(self) -> None:
        if not 1 <= self.seed_bits <= self.output_bits or self.taps < 0:
            raise DomainError(
                f"a generator must have 1 <= seed_bits <= output_bits, not {self.seed_bits} and "
                f"{self.output_bits}"
            )
        if self.output_bits > MAX_BITS:
            raise InstanceTooLargeError(
                f"output_bits must be at most {MAX_BITS}, not {self.output_bits}, "
                "because all strings are listed"
            )

    def __call__(self, seed: int) -> int:
        """Return the output for a seed, both as integers whose highest bit is the first bit."""
        output, mask = seed, (1 << self.seed_bits) - 1
        for _ in range(self.output_bits - self.seed_bits):
            output = output << 1 | (output & mask & self.taps).bit_count() & 1
        return output

    @property
    def image(self) -> tuple[int, ...]:
        """The distinct outputs, in increasing order."""
        return tuple(sorted({self(seed) for seed in range(1 << self.seed_bits)}))

    def hidden_points(self) -> ConceptClass:
        """Return the point functions of the strings in the image; the domain is all strings."""
        size = 1 << self.output_bits
        rows = [1 << j for j in self.image]
        return ConceptClass.from_rows(rows, range(size), name=f"points of {self}")


@validated
class Distinguisher:
    """Probabilities that a learner, given copies of one positive example, returns its point.

    Attributes
    ----------
    on_outputs : Fraction or Exponential
        Probability when the point is the output of a uniform seed.
    on_strings : Fraction or Exponential
        Probability when it is a uniform string.
    """

    on_outputs: Real
    on_strings: Real

    @property
    def advantage(self) -> Real:
        """The difference of the two probabilities; it is small for a pseudorandom generator."""
        return self.on_outputs - self.on_strings


@checked_types
def distinguish(
    learner: Mechanism[Example, int], generator: FeedbackGenerator, samples: int
) -> Distinguisher:
    """Return exactly how well a learner distinguishes outputs of a generator from uniform strings.

    Parameters
    ----------
    learner : Mechanism
        Maps databases of labelled examples over all strings to hypotheses, as bit masks.
    generator : FeedbackGenerator
    samples : int
        Copies of the positive example, at least 1.

    Examples
    --------
    >>> from ccsim.exact.epsilon import Epsilon
    >>> from ccsim.learning.learners.occam import PrivateOccam
    >>> G = FeedbackGenerator(2, 3, 0b11)
    >>> proper = PrivateOccam(8, G.hidden_points().rows, Epsilon.of("ln 16"))
    >>> found = distinguish(proper, G, 3)
    >>> found.on_outputs, found.on_strings
    (Fraction(64, 67), Fraction(32, 67))
    """
    if samples < 1:
        raise DomainError(f"samples must be at least 1, not {samples}")
    size, seeds = 1 << generator.output_bits, 1 << generator.seed_bits
    chances = [learner.distribution([(j, 1)] * samples)[1 << j] for j in range(size)]
    outputs = sum((chances[generator(seed)] for seed in range(seeds)), Fraction(0)) / seeds
    return Distinguisher(outputs, sum(chances, Fraction(0)) / size)
