"""Kojak over the text protocol: what is told of the piles, and when the table is asked."""

from __future__ import annotations

import random

from tests.chapters import begin, said
from tests.chapters.kojak import CHAPTER, TABLES
from tests.protocol import Table, plain_bot


def test_an_undo_asks_the_table_only_past_a_card_that_the_box_drew() -> None:
    for at in range(len(TABLES)):
        asks = {m["question"] for m in said("kojak", 2, at) if m["type"] == "ask"}
        assert TABLES[at]["deck"] == "virtual" or "agree_undo" not in asks


def test_the_state_never_tells_a_card_that_lies_in_a_pile() -> None:
    """Two shuffles look the same until a card is drawn, but for the seed's commitment."""
    options = {"deck": "virtual", "die": "none", "short": "no"}
    lines = []
    for seed in ("1", "2"):
        rng = random.Random(5)
        table = Table(plain_bot(rng), CHAPTER)
        table.run(begin("kojak", options, 3, seed))
        seen = table.referee.seen
        first = next(i for i, m in enumerate(seen) if m.get("event") == "drawn")
        lines.append([{**m, "commitment": None} for m in seen[:first]])
    assert lines[0] == lines[1]
    assert len(lines[0]) > 5
