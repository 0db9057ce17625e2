import json

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.model.device import Ceilings
from hotloop.model.trial import Trial


class Clock:
    """A clock that a test sets."""

    now_s = 0.0

    def monotonic_s(self):
        return self.now_s

    def utc(self):
        return "2030-01-01T00:00:00+00:00"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(clock):
    return Desk(engine=None, device=None, journal=MemoryJournal(), clock=clock)


CEILINGS = Ceilings(flops_per_s=1e9, bytes_per_s=2e9, flops_by_width=((1, 5e8), (8, 1e9)))


def test_an_answer_is_made_once(desk, clock):
    made = []

    def make():
        made.append(1)
        clock.now_s += 2.5
        return CEILINGS

    assert desk.remember("ceilings", Ceilings | None, make) == CEILINGS
    assert desk.remember("ceilings", Ceilings | None, make) == CEILINGS
    assert made == [1]
    assert desk.recalled == 1


def test_the_time_of_an_answer_counts_again_when_it_is_recalled(desk, clock):
    """A resumed run must not get a second budget."""

    def make():
        clock.now_s += 2.5
        return 1.0

    desk.remember("a", float, make)
    again = Desk(engine=None, device=None, journal=desk.journal, clock=clock)
    again.remember("a", float, make)
    assert (desk.spent_s, again.spent_s) == (2.5, 2.5)


def test_nothing_is_an_answer_too(desk):
    assert desk.remember("none", float | None, lambda: None) is None
    assert desk.remember("none", float | None, lambda: 3.0) is None


def test_an_answer_that_fails_is_not_recorded(desk):
    def fail():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.remember("key", float, fail)
    assert desk.journal.entries == {}


def test_the_first_record_of_a_key_stays(desk):
    desk.journal.record("key", json.dumps(1))
    desk.journal.record("key", json.dumps(2))
    assert desk.journal.recall("key") == "1"
    assert desk.journal.recall("other") is None


def test_trials_are_kept():
    journal = MemoryJournal()
    trial = object.__new__(Trial)
    journal.record("key", "1", trial)
    journal.record("key", "2", trial)
    assert journal.trials == [trial]
