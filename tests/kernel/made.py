"""A hand-made certificate, and quantities defined for tests of the framework."""

__all__ = ["concept_class", "partial_class", "problem", "representation"]


def concept_class(*rows, width=None):
    width = len(rows[0]) if width is None else width
    labels = {"points": list(range(width)), "concepts": list(range(len(rows)))}
    return {"type": "concept class", "name": "", "rows": list(rows)} | labels


def partial_class(*rows, width=None):
    return concept_class(*rows, width=width) | {"type": "partial concept class"}


def problem(*rows):
    labels = {"alice": list(range(len(rows))), "bob": list(range(len(rows[0])))}
    return {"type": "communication problem", "name": "", "rows": list(rows)} | labels


def representation():
    """Return a class of four concepts represented by two hypotheses with error exactly 1/2."""
    return {
        "format": 2,
        "kind": "deterministic_representation",
        "instance": concept_class("100", "110", "111", "000"),
        "statement": {"hypotheses": ["111", "000"], "lower": "1/2", "upper": "1/2"},
        "lower": {"hard_distribution": {"concept": 1, "distribution": [1, 1, 2]}},
        "upper": {"mixtures": {"weights": [[1, 1], [1, 1], [1, 0], [0, 1]]}},
        "made_by": "hand",
    }
