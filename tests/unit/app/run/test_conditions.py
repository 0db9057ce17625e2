"""What of its circumstances a run records."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run import climb
from hotloop.model.codec import decode, encode
from hotloop.model.space import Config
from hotloop.search.foretold import Foretold


def test_a_password_of_the_store_is_not_recorded(monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", "postgresql://me:secret@host/db")
    rows = dict(climb._conditions(SimpleNamespace(engine=None, seed=1)))
    assert rows["HOTLOOP_STORE"] == "postgresql://me:***@host/db"


@pytest.mark.parametrize(
    ("doubted", "beside", "words"),
    [(False, [], "begins with the best"), (True, [], "as far as its results agree"), (True, [{}], "leaves them out")],
)
def test_predicted_times_come_out_of_the_journal_as_they_went_in(doubted, beside, words):
    made, said, kept = Foretold({Config(A=1): 5.0}, doubted), [], {}

    def remember(name, kind, compute):
        return decode(kept.setdefault(name, encode(compute())), kind)

    kernel = SimpleNamespace(implementation=lambda _: None)
    plan = SimpleNamespace(implementation="", budget_s=1.0)
    request = SimpleNamespace(foretell=lambda *_: made, kernel=kernel, plan=plan, problem=None)
    desk = SimpleNamespace(
        device=SimpleNamespace(target="gfx942"), seed=1, remember=remember, tell=lambda event: said.append(event.text)
    )
    assert climb._foretold(desk, request, beside) == made
    assert ("doubted" in said[0]) == doubted
    assert words in said[0]
