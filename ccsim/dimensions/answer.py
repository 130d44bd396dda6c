"""Bounds on a dimension of a class, with a proof of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ccsim.certificates import Answer, Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.data import frozen


def kind_for(kind: str, concept_class: ConceptClass | PartialClass) -> str:
    """Return the kind of certificate of a dimension, for a total or for a partial class."""
    return f"partial_{kind}" if isinstance(concept_class, PartialClass) else kind


@frozen
class ClassAnswer(Answer[int], ABC):
    """Bounds on an integer parameter of a class; subclasses add the proofs."""

    asked: ClassVar[tuple[str, ...]] = ("concept_class",)
    _kind: ClassVar[str]

    concept_class: ConceptClass | PartialClass
    lower: int
    upper: int

    @abstractmethod
    def certificate(self) -> Certificate:
        """Return the certificate."""

    def _with_proofs(
        self, lower: dict[str, Any], upper: dict[str, Any], **parameters: object
    ) -> Certificate:
        """Return a certificate of the kind of the answer, with proofs of both bounds."""
        bounds = {"lower": self.lower, "upper": self.upper, **parameters}
        kind = kind_for(self._kind, self.concept_class)
        return Certificate(kind, self.concept_class.to_json(), bounds, lower, upper)
