"""
Trade-off functions
===================

The least type II error of a test that distinguishes two neighbouring databases, for each level. The
breakpoints are exact. The dashed line is the Gaussian trade-off function with the least mu for
which the first mechanism satisfies Gaussian privacy.
"""

import matplotlib.pyplot as plt

from ccsim.exact import Epsilon
from ccsim.pictures import draw_trade_off
from ccsim.privacy import ExponentialMechanism, RandomizedResponse, gaussian_privacy, trade_off

response = RandomizedResponse((0, 1, 2), Epsilon.of("ln 4"))
vote = ExponentialMechanism("ab", "abc", lambda votes, o: votes.count(o), Epsilon.of(1))
functions = {
    "randomised response": trade_off(response, 1),
    "exponential mechanism": trade_off(vote, 2),
}
_, ax = plt.subplots(figsize=(5, 5), layout="constrained")
draw_trade_off(functions, gaussian=gaussian_privacy(response, 1).upper, ax=ax)
plt.show()
