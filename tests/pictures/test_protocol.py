"""Pictures of two-way protocols: the position of every node, message and answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from ccsim import deterministic_cost, greater_than, protocol_size
from ccsim.cli.main import main
from ccsim.communication import Turn, TwoWayProtocol
from ccsim.pictures import draw_protocol

__all__ = []


def texts(axes):
    """Return the texts of boxes, messages and leaves."""
    boxes = [t.get_text() for t in axes.texts if t.get_text() in {"Alice", "Bob"}]
    others = [t for t in axes.texts if t.get_text() not in {"Alice", "Bob"}]
    messages = [t.get_text() for t in others if t.get_position()[1] % 1]
    leaves = [t.get_text() for t in others if not t.get_position()[1] % 1]
    return Counter(boxes), messages, leaves


@pytest.mark.parametrize("instance", ["greater_than:n=5", "equality:n=4", "augmented_index:d=2"])
@pytest.mark.parametrize("question", [deterministic_cost, protocol_size])
def test_all_nodes_are_drawn(instance, question):
    P = question(instance).protocol
    boxes, messages, leaves = texts(draw_protocol(P, levels=99))
    turns = [node for node in P.nodes if isinstance(node, Turn)]
    assert boxes == Counter(node.speaker.capitalize() for node in turns)
    assert leaves == [str(answer) for _, _, answer in P.leaves()]
    assert len(messages) == len(P.nodes) - 1


def test_messages_list_the_inputs_that_send_them():
    problem = [[0, 0], [0, 1], [1, 1]]
    P = TwoWayProtocol((Turn("alice", (0, 1, 2)), 0, Turn("bob", (0, 1)), 0, 1, 1), 3, 2)
    P.check(problem)
    _, messages, leaves = texts(draw_protocol(P))
    assert messages == ["00: 0", "01: 1", "0: 0", "1: 1", "10: 2"]
    assert leaves == ["0", "0", "1", "1"]


def test_deep_trees_and_long_labels_are_cut():
    rule = {0: ("alice", int), 1: ("bob", int)}
    P = TwoWayProtocol.from_functions(lambda sent: rule.get(len(sent), 1), range(8), range(8))
    _, messages, leaves = texts(draw_protocol(P, levels=1))
    assert messages == [f"{x:03b}: {x}" for x in range(8)]
    assert leaves == ["... 8 leaves"] * 8
    labelled = replace(greater_than(8), alice=tuple(f"{'long' * 9}{x}" for x in range(8)))
    _, messages, _ = texts(draw_protocol(deterministic_cost(labelled).protocol))
    assert "0: lon..ng0, .. (4)" in messages
    assert max(map(len, messages)) <= 20


def test_given_axes_are_used_and_boxes_do_not_overlap():
    axes = Figure(figsize=(4, 3)).subplots()
    P = deterministic_cost("greater_than:n=8").protocol
    assert draw_protocol(P, ax=axes) is axes
    places = [t.get_position() for t in axes.texts]
    assert len(set(places)) == len(places)


def test_the_command_draws_the_tree(tmp_path, capsys):
    out = tmp_path / "tree.svg"
    assert main(["protocol", "equality:n=3", "--two-way", "--out", str(out)]) == 0
    assert "Alice" in out.read_text()
    assert main(["protocol", "equality:bits=3,repetitions=1", "--out", str(out)]) == 2
    assert "--out needs --two-way" in capsys.readouterr().err
