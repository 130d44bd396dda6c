"""Families of one-way protocols: given by rules, run at any size, tabulated when small."""

from protocols.augmented_index import (
    AugmentedIndexCoveringCode,
    AugmentedIndexEvenWeight,
    AugmentedIndexGolay,
    AugmentedIndexReedMuller,
    AugmentedIndexRepetition,
    AugmentedIndexSendAll,
)
from protocols.equality import EqualityHashing
from protocols.equality_partition import EqualityOptimal, EqualityPartition
from protocols.greater_than import GreaterThanSendAll
from protocols.index import IndexSendAll
from protocols.index_codes import (
    IndexCoveringCode,
    IndexEvenWeight,
    IndexGolay,
    IndexReedMuller,
    IndexRepetition,
)
from protocols.lines import LinesHashing, LinesSendAll

__all__ = [
    "AugmentedIndexCoveringCode",
    "AugmentedIndexEvenWeight",
    "AugmentedIndexGolay",
    "AugmentedIndexReedMuller",
    "AugmentedIndexRepetition",
    "AugmentedIndexSendAll",
    "EqualityHashing",
    "EqualityOptimal",
    "EqualityPartition",
    "GreaterThanSendAll",
    "IndexCoveringCode",
    "IndexEvenWeight",
    "IndexGolay",
    "IndexReedMuller",
    "IndexRepetition",
    "IndexSendAll",
    "LinesHashing",
    "LinesSendAll",
]
