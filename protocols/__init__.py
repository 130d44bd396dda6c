"""Families of protocols that are given by functions, and so can be run at any size."""

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
from protocols.greater_than_bisection import GreaterThanBisection, GreaterThanHashing
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
    "GreaterThanBisection",
    "GreaterThanHashing",
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
