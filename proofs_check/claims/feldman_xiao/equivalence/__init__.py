"""Section 3: representation dimension and one-way communication complexity are equivalent.

`public_coins` has Theorem 7 (=3.1), `private_coins` Theorem 8 (=3.2), `default_parameters` Theorem
1 (=1.1) and eq. (3.1). The claims compare numbers of messages and hypotheses, which are integers;
for bits, the required rounding is part of the statement.
"""
