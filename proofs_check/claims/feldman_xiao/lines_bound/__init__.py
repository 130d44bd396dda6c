"""Section 5: lines need about log2(p) bits; the derivation stands in ``docs/lines.md``.

Under ``mu_0`` line and point are independent and uniform, under ``mu_1`` the point is uniform on
the line; ``mu`` is their mean.
"""
