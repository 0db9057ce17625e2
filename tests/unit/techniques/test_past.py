"""What earlier steps of a run say against a move."""

from __future__ import annotations

from hotloop.model.space import Config
from hotloop.techniques.past import Past, lost, undoes

START = Config(PACK=0, SA=1, VW=1)


def test_a_move_back_is_known_whatever_happened_in_between():
    packed, wide = START.replace(PACK=1), START.replace(PACK=1, VW=8)
    past = [Past(START, packed, kept=True, slower=False), Past(packed, wide, kept=True, slower=False)]
    assert undoes(wide, wide.replace(PACK=0), past)
    assert undoes(wide, START, past)
    assert not undoes(wide, wide.replace(PACK=2), past)
    assert not undoes(wide, wide.replace(PACK=0, SA=2), past)  # one new value: another way on, not the way back


def test_what_was_reverted_is_no_way_back():
    past = [Past(START, START.replace(VW=4), kept=False, slower=True)]
    assert not undoes(START.replace(VW=4), START, past)


def test_what_was_slower_from_another_incumbent_is_not_asked_again():
    past = [Past(START, START.replace(VW=4), kept=False, slower=True)]
    later = START.replace(PACK=1)
    assert lost(later, later.replace(VW=4), past)
    assert not lost(later, later.replace(VW=8), past)
    assert not lost(later, later.replace(VW=4, SA=0), past)


def test_what_made_no_difference_may_make_one_later():
    past = [Past(START, START.replace(PACK=2), kept=False, slower=False)]
    later = START.replace(VW=8)
    assert not lost(later, later.replace(PACK=2), past)
