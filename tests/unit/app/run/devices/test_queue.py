"""What a search asks for next: what is compiled already, where there is such."""

from collections import deque
from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.run.devices import queue as queues
from hotloop.app.run.devices.queue import Queue
from hotloop.model.codec import encode
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact
from hotloop.model.program import Input, Launch, Program, Value
from hotloop.model.space import Config, Parameter, Space


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


@pytest.mark.parametrize(("alone_s", "others", "out"), [(0.19, 1, 13), (0.19, 2, 8), (0.05, 1, 8), (2.0, 1, 14)])
def test_as_many_are_out_as_compile_until_the_first_is_asked_for_again(monkeypatch, alone_s, others, out):
    """The incumbent has two programs, which does not say that others have as many."""
    monkeypatch.setattr(queues, "usable_cores", lambda: 16)
    implementation = SimpleNamespace(space=Space((Parameter("T", tuple(range(9)), ""),)))
    start = Variant(implementation, Config(T=0))

    def programs(variant):
        count = 2 if variant.config == start.config else others
        return [Program("cuda", f"{variant.config} {number}") for number in range(count)]

    engine = SimpleNamespace(build=lambda program: Artifact(program.build_key, 1e9 * alone_s, ""))
    attempts = SimpleNamespace(programs=programs, desk=SimpleNamespace(engine=engine))
    assert queues.compiled_ahead(attempts, start, 1) == out


def test_a_program_with_the_same_numbers_is_the_same_one_and_another_has_its_own_identity():
    plain = Program("cuda", "text", ("-O3",), (Launch("k", (Input("n", "int32"),), (64,), (32,)),))
    numbers = {"n": 5}
    made = plain.resolved(numbers)
    assert plain.resolved(numbers) is made
    assert made.launches[0].arguments == (Value(5, "int32"),)
    assert plain.resolved({"n": 6}).launches[0].arguments == (Value(6, "int32"),)
    assert plain.resolved(numbers).fingerprint == made.fingerprint != plain.fingerprint
    assert made.build_key == plain.build_key
    other = replace(made, options=("-O2",))
    assert (other.build_key != made.build_key, other.fingerprint != made.fingerprint) == (True, True)
    assert (other == replace(other), hash(other) == hash(replace(other))) == (True, True)
    assert set(encode(made)) == {"language", "source", "options", "launches", "scratch", "source_name"}
