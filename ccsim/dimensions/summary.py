"""The three dimensions of a class in one result and one certificate."""

from __future__ import annotations

from dataclasses import dataclass

from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass
from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension
from ccsim.errors import CertificateError
from ccsim.exact.bounds import check_fields

__all__ = ["DimensionsResult", "dimensions"]


@dataclass(frozen=True, slots=True)
class DimensionsResult:
    """VC, dual VC and Littlestone dimension of one class.

    Attributes
    ----------
    vc : VCResult
    dual_vc : DualVCResult
    littlestone : LittlestoneResult
    """

    vc: VCResult
    dual_vc: DualVCResult
    littlestone: LittlestoneResult

    @property
    def concept_class(self) -> ConceptClass:
        """The class itself."""
        return self.vc.concept_class

    def check(self) -> None:
        """Check the three results.

        Raises
        ------
        CertificateError
            If one of them does not hold, or they speak of different classes.
        """
        check_fields(self)
        if (
            not self.vc.concept_class
            == self.dual_vc.concept_class
            == self.littlestone.concept_class
        ):
            raise CertificateError("the three results speak of different classes")
        self.vc.check()
        self.dual_vc.check()
        self.littlestone.check()

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``dimensions``, which holds the three proofs."""
        instance = self.concept_class.to_json()
        parts = {
            "vc": self.vc.certificate(instance),
            "dual_vc": self.dual_vc.certificate(instance),
            "littlestone": self.littlestone.certificate(instance),
        }
        return Certificate(
            "dimensions",
            instance,
            {name: part.statement for name, part in parts.items()},
            {name: part.lower for name, part in parts.items()},
            {name: part.upper for name, part in parts.items()},
        )


def dimensions(concept_class: ConceptClass) -> DimensionsResult:
    """Return VC, dual VC and Littlestone dimension of a class.

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
