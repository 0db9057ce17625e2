from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from hotloop.errors import StoreError
from hotloop.host.clock import SystemClock
from hotloop.store import server
from hotloop.store.database import Database
from hotloop.store.location import Location

RECOVERING = (
    "connection to server at x failed: FATAL:  the database system is not yet accepting connections\nDETAIL:  recovery"
)


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(server, "_AGAIN_S", 0.0)


@pytest.mark.parametrize("said", [RECOVERING, "FATAL:  the database system is in recovery mode"])
def test_a_server_that_recovers_from_a_crash_is_waited_for(said, at_once):
    answers = iter([OperationalError("", {}, Exception(said)), None])

    def ask():
        if (error := next(answers)) is not None:
            raise error
        return "answer"

    assert server.patiently(ask, met=True) == "answer"


class Refused(Exception):
    """What psycopg raises, with PostgreSQL's code."""

    def __init__(self, sqlstate):
        super().__init__("Verklemmung entdeckt")  # servers speak many languages
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (Refused("40P01"), 2),
        (Refused("40001"), 2),
        (Refused("55P03"), 2),
        (Exception("connection failed: FATAL:  sorry, too many clients already"), 2),
        (Exception('connection failed: FATAL:  too many connections for role "w"'), 2),
        (Refused("42501"), 1),
    ],
)
def test_what_others_are_in_the_way_of_is_asked_again(at_once, error, tries):
    asked = []

    def ask():
        asked.append(1)
        if len(asked) == 1:
            raise OperationalError("", {}, error)

    if tries == 1:
        with pytest.raises(OperationalError):
            server.patiently(ask, met=True)
    else:
        server.patiently(ask, met=True)
    assert len(asked) == tries


def test_who_was_never_met_is_not_waited_for(at_once):
    def ask():
        raise OperationalError("", {}, Exception(RECOVERING))

    with pytest.raises(OperationalError):
        server.patiently(ask, met=False)


def test_a_server_that_is_away_is_waited_for_longer_than_for_an_answer_and_not_called_reachable(monkeypatch):
    monkeypatch.setattr(server, "ANSWER_S", 1.0)
    monkeypatch.setattr(server, "AWAY_S", 1.5)

    def connect():
        raise OperationalError("", {}, Exception("connection failed: connection refused"))

    engine = SimpleNamespace(connect=connect, dialect=SimpleNamespace(name="postgresql"))
    engine.execution_options = lambda **_: engine
    away = Database(engine, Location.resolve("postgresql://me@db.example/x"), SystemClock(), read_only=True)
    away._met = True
    with pytest.raises(StoreError, match="does not answer as expected .*refused"), away.read():
        pass
