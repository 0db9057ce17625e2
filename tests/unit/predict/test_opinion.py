"""When predicted times say nothing about an order."""

from dataclasses import dataclass, field

import pytest

from hotloop.predict.opinion import silence


@dataclass
class Said:
    time_ns: float
    trusted: bool = True
    share: float = 1.2
    low_ns: float = field(init=False)
    high_ns: float = field(init=False)

    def __post_init__(self):
        self.low_ns, self.high_ns = self.time_ns / self.share, self.time_ns * self.share


def test_times_that_differ_are_an_opinion_however_wide_their_intervals():
    assert silence([Said(100.0), Said(120.0), Said(150.0, share=3)]) == ""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([], "nothing"),
        ([Said(100.0), Said(102.0), Said(104.0)], "a factor of 1.04 at most"),
        ([Said(100.0), Said(900.0, trusted=False), Said(500.0, trusted=False)], "1 of 3"),
    ],
)
def test_other_times_are_none(said, why):
    assert why in silence(said)
