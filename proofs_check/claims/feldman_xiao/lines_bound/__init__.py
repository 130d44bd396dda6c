"""Section 5: lines need about log2(p) bits; ``docs/lines.md`` has the derivation.

Under ``mu_0`` line and point are independent and uniform, under ``mu_1`` the point is uniform on
the line; ``mu`` is their mean.
"""
