"""
The graph of claims
===================

What rests on what in the paper of Feldman and Xiao: an arrow leads from a claim to each claim that
its proof uses, which stands left of it; a dashed one from a corrected claim to the printed one.
Printed claims that fail have a dashed frame, those that no finite computation decides a dotted one.
"""

import matplotlib.pyplot as plt

from proofs_check.claims.table import CLAIMS
from proofs_check.graph import claim_graph, draw_claims

graph = claim_graph(claim for claim in CLAIMS.values() if claim.paper == "fx")
_, ax = plt.subplots(figsize=(17, 11.5), layout="constrained")
draw_claims(graph, ax=ax)
plt.show()
