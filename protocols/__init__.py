"""Families of one-way protocols: given by rules, run at any size, tabulated when small."""

from protocols.augmented_index import AugmentedIndexCoveringCode, AugmentedIndexSendAll
from protocols.equality import EqualityHashing
from protocols.equality_partition import EqualityOptimal, EqualityPartition
from protocols.greater_than import GreaterThanSendAll
from protocols.index import IndexCoveringCode, IndexSendAll
from protocols.lines import LinesHashing, LinesSendAll

__all__ = [
    "AugmentedIndexCoveringCode",
    "AugmentedIndexSendAll",
    "EqualityHashing",
    "EqualityOptimal",
    "EqualityPartition",
    "GreaterThanSendAll",
    "IndexCoveringCode",
    "IndexSendAll",
    "LinesHashing",
    "LinesSendAll",
]
