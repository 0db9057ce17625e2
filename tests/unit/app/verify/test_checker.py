"""When a round of mutants ends."""

from __future__ import annotations

from types import SimpleNamespace

from hotloop.app.verify.checker import Turns


def test_no_mutant_begins_that_would_not_end_in_time():
    """Each of ten takes 4 s, of a budget of 21 s that began 2 s before them: four are run, and the others named."""
    now = [2.0]
    desk = SimpleNamespace(clock=SimpleNamespace(monotonic_s=lambda: now[0]), tell=lambda _event: None)
    turn = Turns([str(index) for index in range(10)], 21.0, 0.0)
    for _ in range(10):
        if turn.goes_on(desk):
            now[0] += 4.0
    assert turn.unrun == [str(index) for index in range(4, 10)]
    assert now[0] == 18.0
