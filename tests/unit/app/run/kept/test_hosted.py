"""A winner as a host launches it that stays as it is: what is tried, and what is refused unseen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run.kept import hosted
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.program import Launch, Program
from hotloop.model.space import Config, Space
from hotloop.rewrite.shape import RefusedError

START, WON = Config(a=0), Config(a=1)


def program(source: str, items: int = 64) -> Program:
    return Program("opencl", source, (), (Launch("f", (), (items,), None),))


def tried(plan, stays, late_s=0.0):
    """Return what is tried of a winner with two plans: as it won, and for the host as it is."""
    own = Implementation("o", "opencl", Space(()), START, plan, hosted=stays)
    workload = SimpleNamespace(program=lambda variant: variant.implementation.plan(None, variant.config, None))
    attempts = SimpleNamespace(workload=workload)
    pace = SimpleNamespace(left_s=0.0, ending_s=late_s, duel_s=1.0)
    return hosted.tried(attempts, pace, [SimpleNamespace(config=START)], Variant(own, WON))


def refused(*_):
    raise RefusedError("it needs more work-items")


@pytest.mark.parametrize("items", [64, 32])
def test_a_text_for_another_grid_is_refused_also_where_the_launch_happens_to_be_the_same(items):
    found = tried(lambda _p, config, _d: program(f"v{config['a']}", items if config["a"] else 64), refused)
    assert (found.refused, found.why) == (True, "it needs more work-items")


def test_a_winner_that_is_launched_as_before_needs_no_trial():
    assert tried(lambda _p, config, _d: program(f"v{config['a']}"), lambda *_: program("v1")) is None


def test_without_time_the_host_must_change():
    found = tried(lambda _p, config, _d: program("v", 64 >> config["a"]), lambda *_: program("early"))
    assert (found.refused, found.comparison) == (False, None)
    assert "no time" in found.why


def test_it_may_make_the_run_as_late_as_any_last_comparison():
    """The budget was over when the winner had been compared: the host had to be changed by hand, though a text for it as it is was at hand."""
    with pytest.raises(AttributeError, match="desk"):  # it goes on to compare
        tried(lambda _p, config, _d: program("v", 64 >> config["a"]), lambda *_: program("early"), late_s=2.0)
