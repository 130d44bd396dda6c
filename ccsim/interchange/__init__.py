"""Conversions of games, graphs, data frames, linear programs and values to and from other formats.

Exact numbers remain exact unless the description of a function mentions floats. For examples, see
docs/interoperability.md.
"""

from ccsim.interchange.accounting import to_privacy_loss
from ccsim.interchange.classes import from_incidence_graph, to_dataframe, to_incidence_graph
from ccsim.interchange.collected_classes import collected_classes
from ccsim.interchange.combinatorial_parameters import (
    ComparedValue,
    class_record,
    compared_values,
    from_combinatorial_parameters,
    to_combinatorial_parameters,
    value_records,
)
from ccsim.interchange.gambit import from_gambit, from_nfg, to_gambit, to_nfg
from ccsim.interchange.games import MAX_PROTOCOLS, TwoPlayerGame, game_program, protocol_game
from ccsim.interchange.lp import from_lp
from ccsim.interchange.mps import from_mps
from ccsim.interchange.named import NamedProgram
from ccsim.interchange.payoffs import read_game
from ccsim.interchange.programs import read_program
from ccsim.interchange.vipr import from_vipr, to_vipr

__all__ = [
    "MAX_PROTOCOLS",
    "ComparedValue",
    "NamedProgram",
    "TwoPlayerGame",
    "class_record",
    "collected_classes",
    "compared_values",
    "from_combinatorial_parameters",
    "from_gambit",
    "from_incidence_graph",
    "from_lp",
    "from_mps",
    "from_nfg",
    "from_vipr",
    "game_program",
    "protocol_game",
    "read_game",
    "read_program",
    "to_combinatorial_parameters",
    "to_dataframe",
    "to_gambit",
    "to_incidence_graph",
    "to_nfg",
    "to_privacy_loss",
    "to_vipr",
    "value_records",
]
