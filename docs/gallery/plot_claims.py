"""
The graph of claims
===================

The dependencies of the claims in the paper of Feldman and Xiao. An arrow leads from a claim to each
claim that its proof uses, further to the left. A dashed arrow leads from a corrected claim to the
claim as printed. A dashed frame marks a claim that fails as printed. A dotted frame marks a claim
that no finite computation decides.
"""

import matplotlib.pyplot as plt

from proofs_check.claims.table import CLAIMS
from proofs_check.graph import claim_graph, draw_claims

graph = claim_graph(claim for claim in CLAIMS.values() if claim.paper == "fx")
_, ax = plt.subplots(figsize=(17, 11.5), layout="constrained")
draw_claims(graph, ax=ax)
plt.show()
