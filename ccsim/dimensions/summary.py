"""The three dimensions of a class in one result and one certificate."""

from __future__ import annotations

from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificates, Certified
from ccsim.certificates.answer import question_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.data import frozen
from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension
from ccsim.errors import CertificateError


@frozen
class DimensionsResult(Certified):
    """The VC, dual VC and Littlestone dimension of a class.

    Attributes
    ----------
    vc : VCResult
        VC dimension.
    dual_vc : DualVCResult
        Dual VC dimension.
    littlestone : LittlestoneResult
        Littlestone dimension.
    """

    question = "the dimensions of a class"
    asked = ("concept_class",)
    answered = ("vc", "dual_vc", "littlestone")

    vc: VCResult
    dual_vc: DualVCResult
    littlestone: LittlestoneResult

    @property
    def concept_class(self) -> ConceptClass:
        """The class whose dimensions were computed."""
        return as_class(self.vc.concept_class)

    def to_dict(self) -> dict[str, Any]:
        """Return the sizes of the class and its dimensions, as ``ccsim dimensions --json`` does.

        Examples
        --------
        >>> from ccsim.classes import lines
        >>> dimensions(lines(3)).to_dict()["littlestone"]
        2
        """
        C = self.concept_class
        data: dict[str, Any] = {"question": question_of(self), "instance": C.name}
        data |= {"concepts": len(C.concepts), "points": len(C.points)}
        for name in ("vc", "dual_vc", "littlestone"):
            found = getattr(self, name)
            data[name] = found.lower if found.exact else None
            if not found.exact:
                data |= {f"{name}_lower": found.lower, f"{name}_upper": found.upper}
        return data

    def certificate(self) -> Certificates:
        """Return the three certificates, in the order of the attributes."""
        results = (self.vc, self.dual_vc, self.littlestone)
        if any(result.concept_class != self.concept_class for result in results):
            raise CertificateError("the three results must be about the same class")
        return Certificates(tuple(result.certificate() for result in results))


@checked_types
def dimensions(concept_class: ConceptClass) -> DimensionsResult:
    """Return the VC, dual VC and Littlestone dimension of a class.

    Parameters
    ----------
    concept_class : ConceptClass

    Examples
    --------
    >>> from ccsim.classes import lines
    >>> result = dimensions(lines(3))
    >>> result.vc.value, result.dual_vc.value, result.littlestone.value
    (2, 2, 2)
    """
    return DimensionsResult(
        vc_dimension(concept_class),
        dual_vc_dimension(concept_class),
        littlestone_dimension(concept_class),
    )
