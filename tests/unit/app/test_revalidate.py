"""What becomes of a winner after an upgrade, with fake contests and runs."""

from types import SimpleNamespace

import pytest

from hotloop.app.revalidate import look
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import Crashed, LaunchFailed
from hotloop.model.space import Config, Space

VARIANT = Variant(Implementation("i", "null", Space(()), Config(), lambda p, c, d: None), Config())
WINNER = SimpleNamespace(call_ns=5.0, implementation="i", family="gemm", config=Config())
WISH = look.Wish(options=None)


def test_why_a_winner_was_not_timed_is_told_of_the_winner(monkeypatch):
    """Failures come last, and the last one may be a peer's."""
    rows = [
        SimpleNamespace(name="winner", outcome=LaunchFailed("no memory")),
        SimpleNamespace(name="peer", outcome=Crashed("time", 11, "")),
    ]
    monkeypatch.setattr(look, "contest", lambda *_: SimpleNamespace(rows=rows))
    monkeypatch.setattr(look.seeds, "pick", lambda *_: ())
    at = SimpleNamespace(kernel=None, problem=None, variant=VARIANT, desk=SimpleNamespace(device=None), winner=WINNER)
    looked = look._contest(WISH, at, None, "driver 1 → 2")
    assert looked.state is look.State.BROKEN
    assert looked.why.endswith("it was not timed: launch failed: no memory")


def test_ctrl_c_while_a_winner_is_tuned_again_ends_all_of_it(monkeypatch):
    monkeypatch.setattr(look.climb, "run", lambda *_: SimpleNamespace(state="interrupted", steps=(), winner=0))
    lost = look._answer(WINNER, look.State.LOST, "slower")
    with pytest.raises(KeyboardInterrupt):
        look._retuned(WISH, lost, None, None, lambda: None)
