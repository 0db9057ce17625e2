"""Whose launches end while the program prepares the next one, on a virtual clock."""

from types import SimpleNamespace

import pytest

from hotloop.recorder import book
from hotloop.recorder.clocked import DELAY_NS, Took


class Journal:
    open = True

    def __init__(self):
        import threading

        self.lock, self.rows = threading.RLock(), []

    def write(self, kind, **fields):
        self.rows.append(SimpleNamespace(kind=kind, **fields))


class Machine:
    """A host that prepares launches and a GPU that runs them."""

    def __init__(self, monkeypatch):
        self.now_ns, self.ends_ns = 0.0, 0.0
        monkeypatch.setattr(book, "clocks", lambda: Took(int(self.now_ns), 0))

    def launch(self, took_ns):
        self.ends_ns = max(self.ends_ns, self.now_ns) + took_ns

    def timer(self, run, tally):
        if tally.calls:
            self.launch(DELAY_NS)
        return run()

    def idle(self):
        return self.ends_ns <= self.now_ns

    def wait(self):
        self.now_ns = max(self.now_ns, self.ends_ns)


@pytest.mark.parametrize(
    ("host_ns", "took_ns", "waits", "hidden"),
    [
        (50_000, 10_000, False, pytest.approx(1.0, abs=0.15)),
        (50_000, 80_000, False, 0.0),
        (50_000, 10_000, True, 0.0),  # the GPU is idle, too, but what it took was waited for
        (50_000, 400_000, True, 0.0),
    ],
)
def test_time_that_the_program_hides_is_no_time_that_it_waits_for(monkeypatch, host_ns, took_ns, waits, hidden):
    machine, journal = Machine(monkeypatch), Journal()
    seen = book.Book(journal)
    for _ in range(3000):
        machine.now_ns += host_ns
        seen.launched(
            "k", dict, "kind", dict, lambda: machine.launch(took_ns), machine.timer, ready=True, idle=machine.idle
        )
        if waits:
            machine.wait()
    seen.close()
    told = [row for row in journal.rows if row.kind == "count"]
    assert told[-1].hidden == hidden


def test_what_is_waited_for_anyway_says_nothing(monkeypatch):
    machine, journal = Machine(monkeypatch), Journal()
    seen = book.Book(journal)
    for _ in range(50):
        seen.launched("k", dict, "kind", dict, lambda: machine.launch(10), machine.timer)
    seen.close()
    assert [row for row in journal.rows if row.kind == "count"][-1].hidden is None
