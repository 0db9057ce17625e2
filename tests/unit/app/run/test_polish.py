"""A search for which there is time for a single look makes one."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from hotloop.app.run import polish
from hotloop.app.run.kept.searched import Summary
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import CompileFailed
from hotloop.model.space import Config, Parameter, Space

SPACE = Space((Parameter("A", (1, 2, 4, 8)),))
INCUMBENT = Variant(Implementation("made", "null", SPACE, Config(A=1), lambda *_: None), Config(A=1))


class Asked:
    """A strategy that never runs out, and the queue before it."""

    def next(self):
        return Config(A=2)

    def tell(self, *_): ...


@pytest.fixture
def looked(monkeypatch):
    """Return how many looks of so many seconds a search makes that may take `left_s`, after an answer that took `before_s`."""
    monkeypatch.setattr(polish, "Queue", lambda *_: Asked())
    monkeypatch.setattr(polish.lanes, "window", lambda *_: 1)
    monkeypatch.setattr(polish.memory, "settled", nullcontext)

    def search(left_s, before_s, look_s):
        desk = SimpleNamespace(
            spent_s=50.0, latest_s=before_s, device=SimpleNamespace(kind="cpu"), engine=None, tell=lambda _: None
        )

        def glance(*_):
            desk.spent_s, desk.latest_s = desk.spent_s + look_s, look_s
            return SimpleNamespace(ratio=None, outcome=CompileFailed("no"))

        return polish.tried(desk, SimpleNamespace(glance=glance), INCUMBENT, 1.0, 50.0 + left_s, Asked())

    return search


@pytest.mark.parametrize(("left_s", "looks"), [(-0.1, 0), (0.1, 1), (1.0, 1), (2.5, 2), (3.5, 3)])
def test_what_was_answered_before_is_no_measure_of_the_first_look(looked, left_s, looks):
    found = looked(left_s, before_s=9.0, look_s=1.0)
    assert found.summary.evaluated == looks
    assert found.look_s == (1.0 if looks else 0.0)


def test_the_best_so_far_of_two_phases_never_grows():
    """The second one begins without a best of its own."""
    first = Summary(evaluated=9, invalid=0, failures=(), curve=((2, 8.0), (7, 5.0)), exhausted=False)
    second = Summary(evaluated=9, invalid=0, failures=(), curve=((1, 7.0), (3, 5.0), (4, 4.5)), exhausted=True)
    assert polish.joined(first, second).curve == ((2, 8.0), (7, 5.0), (13, 4.5))
    assert polish.joined(None, second) is second
