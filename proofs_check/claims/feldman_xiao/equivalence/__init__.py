"""Section 3: representation dimension and one-way communication complexity are equivalent.

`public_coins` has Theorem 7 (=3.1), `private_coins` Theorem 8 (=3.2), `default_parameters` Theorem
1 (=1.1) and eq. (3.1). Everything is compared in sizes (messages and hypotheses), which are
integers; where the paper speaks of bits, the rounding that is needed is part of the statement.
"""
