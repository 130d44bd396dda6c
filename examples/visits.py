"""A mechanism for `ccsim audit` on records of visits: pairs of a person and a symptom, 0 or 1."""

from fractions import Fraction


def noisy_symptoms(visits):
    """Publish the number of visits with the symptom, at most 3, with noise."""
    count = sum(symptom for _, symptom in visits)
    weights = {shown: Fraction(1, 2 ** abs(shown - min(count, 3))) for shown in range(4)}
    return {shown: weight / sum(weights.values()) for shown, weight in weights.items()}


noisy_symptoms.domain = (("ann", 0), ("ann", 1), ("bob", 0), ("bob", 1))
noisy_symptoms.key = 0  # the person
