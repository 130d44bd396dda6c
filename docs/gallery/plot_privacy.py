"""
Privacy of several mechanisms
=============================

The least delta for which a mechanism is (epsilon, delta)-private, computed exactly from the output
distributions on all neighbouring databases. The marks are exact values; the lines between them are
only a visual aid.
"""

import matplotlib.pyplot as plt

from ccsim.exact import Epsilon
from ccsim.pictures import draw_privacy
from ccsim.privacy.audit import privacy_curve
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse

epsilons = [0, "1/4", "1/2", "3/4", 1, "5/4"]
curves = {
    f"randomised response, {text}": privacy_curve(
        RandomizedResponse((0, 1), Epsilon.of(text)), epsilons, 1
    )
    for text in ("ln 2", 1, "ln 3")
}
_, ax = plt.subplots(figsize=(6, 4), layout="constrained")
draw_privacy(curves, ax=ax)
plt.show()
