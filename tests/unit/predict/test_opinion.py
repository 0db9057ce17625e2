"""When predicted times say nothing about an order."""

from dataclasses import dataclass, field

import pytest

from hotloop.predict.opinion import silence
from hotloop.targets.span import Span


@dataclass
class Said:
    time_ns: float
    trusted: bool = True
    share: float = 1.2
    low_ns: float = field(init=False)
    high_ns: float = field(init=False)
    worst: float = 1.0
    choice_ns: Span = field(init=False)

    def __post_init__(self):
        self.low_ns, self.high_ns = self.time_ns / self.share, self.time_ns * self.share
        self.choice_ns = Span(self.time_ns, self.time_ns * self.worst)


def test_what_caches_keep_matters_only_where_it_decides_who_is_first():
    assert silence([Said(18.0), Said(21.0, worst=3), Said(22.0, worst=3)]) == ""
    assert silence([Said(18.0, worst=1.5), Said(21.0), Said(42.0), Said(50.0)]) == ""


def test_times_that_differ_are_an_opinion_however_wide_their_intervals():
    assert silence([Said(100.0), Said(120.0), Said(150.0, share=3)]) == ""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([], "nothing"),
        ([Said(100.0), Said(102.0), Said(104.0)], "a factor of 1.04 at most"),
        ([Said(100.0), Said(900.0, trusted=False), Said(500.0, trusted=False)], "1 of 3"),
        ([Said(18.0, worst=2.4), Said(21.0), Said(22.0), Said(50.0)], "2 of 3 may be as fast"),
    ],
)
def test_other_times_are_none(said, why):
    assert why in silence(said)
