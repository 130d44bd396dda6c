"""Old public names work, with warnings that state the new names."""

import pytest

import ccsim
import ccsim.exact
from ccsim.communication import (
    DeterministicProtocol,
    PublicCoinProtocol,
    sign_rank,
    two_messages_suffice,
)
from ccsim.dimensions import all_classes
from ccsim.errors import DomainError
from ccsim.exact import Distribution, LogSum, fractions_of
from ccsim.families import points
from ccsim.information import entropy
from ccsim.learning import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
    least_private_failure,
)
from ccsim.privacy import (
    CanonicalMechanism,
    QualityNeighbours,
    RecConcave,
    Verdict,
    audit,
    audit_by_qualities,
)
from ccsim.release import SanPoints
from ccsim.representation import (
    DerandomizedRepresentation,
    HypothesisSet,
    ProbabilisticRepresentation,
    derandomize,
)
from protocols import EqualityOptimal


def test_a_law_is_now_a_distribution():
    with pytest.warns(DeprecationWarning, match=r"Law is deprecated; use .*Distribution"):
        assert ccsim.exact.Law is ccsim.exact.Distribution
    with pytest.raises(AttributeError, match="has no attribute 'Laws'"):
        _ = ccsim.exact.Laws


def coin(**methods):
    """Return a mechanism on two records with the given methods."""
    return type("Coin", (CanonicalMechanism,), {"records": (0, 1), **methods})()


def certain(mechanism, database):
    return Distribution.certain(sum(database))


def test_a_mechanism_may_be_defined_and_asked_by_the_old_names():
    with pytest.warns(DeprecationWarning, match=r"law_of is deprecated; use .*distribution_of"):
        made = coin(law_of=certain, symmetric=True)
    assert audit(made, 1, 0, 2).verdict is Verdict.FAILS
    assert made.distribution((1, 0)) == Distribution.certain(1)
    with pytest.warns(DeprecationWarning, match=r"Mechanism\.law is deprecated"):
        assert made.law((1, 0)) == made.distribution((1, 0))


def test_a_mechanism_with_a_law_of_its_own_is_not_believed_to_be_symmetric():
    def law(self, database):
        return Distribution.certain(database[0])

    with pytest.warns(DeprecationWarning, match="defining Coin.law is deprecated"):
        made = coin(law=law, distribution_of=certain, symmetric=True)
    with pytest.raises(DomainError, match="declared symmetric, but its distributions"):
        audit(made, 1, 0, 2)


def test_qualities_and_entropies_take_the_old_keyword():
    half = Distribution.uniform("ab")
    with pytest.warns(DeprecationWarning, match="entropy: law is deprecated; use distribution"):
        assert entropy(law=half) == entropy(half)
    scores = QualityNeighbours.all_functions(solutions=2, most=1)
    with pytest.warns(DeprecationWarning, match="audit_by_qualities: law is deprecated"):
        found = audit_by_qualities(law=lambda _: half, epsilon=0, delta=0, qualities=scores)
    assert found.verdict is Verdict.HOLDS


def test_the_tables_of_a_learner_have_their_old_name():
    learner = least_private_failure(points(1), 1, "1/4", "ln 3").learner
    with pytest.warns(DeprecationWarning, match=r"laws is deprecated; use .*distributions"):
        assert learner.laws == learner.distributions


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        (RecConcave, "law", "distribution"),
        (ExponentialThresholdLearner, "law", "distribution"),
        (RecConcaveThresholdLearner, "law", "distribution"),
        (SanPoints, "chosen_law", "chosen_distribution"),
    ],
)
def test_methods_that_are_no_mechanism_s_have_their_old_names(kind, old, new):
    with pytest.warns(DeprecationWarning, match=rf"\.{old} is deprecated; use .*\.{new} instead"):
        assert getattr(kind, old) is getattr(kind, new)


def test_old_names_of_functions_and_classes_work():
    with pytest.warns(DeprecationWarning, match=r"fix_sets is deprecated; use .*derandomize"):
        assert ccsim.representation.fix_sets is derandomize
    with pytest.warns(DeprecationWarning, match=r"ccsim\.fix_sets is deprecated") as record:
        assert ccsim.fix_sets is derandomize
    assert record[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"use .*DerandomizedRepresentation"):
        assert ccsim.representation.FixedSets is DerandomizedRepresentation
    with pytest.warns(DeprecationWarning, match=r"use .*two_messages_suffice"):
        assert ccsim.communication.sorts_chain is two_messages_suffice


def test_old_names_of_fields_and_parameters_work():
    rounded = fractions_of([0.5])
    with pytest.warns(DeprecationWarning, match=r"RoundedTable\.rounding_error"):
        assert rounded.moved == rounded.rounding_error == 0
    rank = sign_rank("equality:n=2")
    with pytest.warns(DeprecationWarning, match=r"SignRankResult\.description"):
        assert rank.shown() == rank.description()
    classes = all_classes(1)
    with pytest.warns(DeprecationWarning, match=r"AllClasses\.effective_sizes"):
        assert classes.cells is classes.effective_sizes
    optimal = EqualityOptimal(n=4, messages=2)
    with pytest.warns(DeprecationWarning, match=r"EqualityOptimal\.partitions"):
        assert optimal.parts == optimal.partitions
    with pytest.warns(DeprecationWarning, match=r"combination: parts is deprecated; use terms"):
        assert LogSum.combination(parts=[(1, 2)]) == 1
    one = DeterministicProtocol((0,), (1,), 1)
    with pytest.warns(DeprecationWarning, match=r"mixture: parts is deprecated; use components"):
        assert PublicCoinProtocol.mixture(parts=[(1, one)]).components == (one,)
    some = HypothesisSet((1,), 1)
    with pytest.warns(DeprecationWarning, match=r"mixture: parts is deprecated; use components"):
        assert ProbabilisticRepresentation.mixture(parts=[(1, some)]).sets == (some,)
