"""Times beside a ratio: of the rounds that gave it, or said to be others."""

from __future__ import annotations

import dataclasses

from hotloop.report import words
from hotloop.report.view.build import build


def test_times_that_are_not_of_the_ratio_s_rounds_are_said_to_be_others(record):
    head = build(record).headline
    assert head.speedup is not None
    same = dataclasses.replace(head, baseline_ns=head.speedup.value * 1e6, winner_ns=1e6)
    assert "median" not in words.headline(same)
    other = dataclasses.replace(head, baseline_ns=1.3 * head.speedup.value * 1e6, winner_ns=1e6)
    assert words.headline(other).endswith("each the median of rounds of its own.")
