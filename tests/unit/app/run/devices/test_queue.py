"""What a search asks for next: what is compiled already, where there is such."""

from collections import deque
from types import SimpleNamespace

from hotloop.app.run.devices.queue import Queue


class Engine:
    def __init__(self, done):
        self.done = done

    def ahead(self, programs):
        pass

    def warm(self, language):
        pass

    def ready(self, programs):
        return all(program in self.done for program in programs)


class Slow:
    def ahead(self, programs):
        pass

    def warm(self, language):
        pass


def asked(engine, waiting):
    desk = SimpleNamespace(engine=engine, device=SimpleNamespace(kind="cpu"))
    incumbent = SimpleNamespace(implementation=SimpleNamespace(language="cuda"))
    queue = Queue(SimpleNamespace(desk=desk), incumbent, None, deque(waiting))
    return [queue.next() for _ in waiting]


WAITING = [("a", ("p", "q")), ("b", ("p",)), ("c", ("r",)), ("d", ())]


def test_what_is_ready_comes_first_and_what_is_not_is_not_lost():
    assert asked(Engine({"p"}), WAITING) == ["b", "d", "a", "c"]


def test_an_engine_that_does_not_know_takes_them_in_turn():
    assert asked(Slow(), WAITING) == ["a", "b", "c", "d"]
