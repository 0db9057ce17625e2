"""What of its circumstances a run records."""

from __future__ import annotations

from types import SimpleNamespace

from hotloop.app.run import climb


def test_a_password_of_the_store_is_not_recorded(monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", "postgresql://me:secret@host/db")
    rows = dict(climb._conditions(SimpleNamespace(engine=None, seed=1)))
    assert rows["HOTLOOP_STORE"] == "postgresql://me:***@host/db"
