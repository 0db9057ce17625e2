"""Who takes which look: each is given to the device with least to do, which compiles it before its turn; who has none relieves others."""

from concurrent.futures import Future
from threading import Event
from time import sleep
from types import SimpleNamespace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run.devices.lanes import Crew, _Lane, _Look, window
from hotloop.errors import LostError
from hotloop.host.clock import SystemClock
from hotloop.model.record import digest


class Engine:
    """A device that compiles ahead, and notes what it was asked to."""

    def __init__(self):
        self.begun, self.compiling, self.settled = [], set(), None

    def ahead(self, programs):
        self.begun += programs

    def ready(self, programs):
        return not self.compiling & set(programs)

    def warm(self, language):
        pass


class Attempts:
    """What a crew asks of attempts; looks end when the test lets them."""

    def __init__(self, engine, gates):
        self.desk = SimpleNamespace(
            engine=engine, device=SimpleNamespace(kind="gpu"), journal=MemoryJournal(), tell=lambda event: None
        )
        self.gates = gates

    def prepare(self, incumbent):
        pass

    def slow(self, incumbent):
        return False

    def settle(self, incumbent):
        self.desk.engine.settled = incumbent

    def glance_key(self, incumbent, variant):
        return variant.label

    def known(self, incumbent, variant):
        return False

    def programs(self, variant):
        return [variant.label]

    def look(self, incumbent, variant):
        self.gates[variant.label].result(60)
        return variant.label


@pytest.fixture
def crew(monkeypatch):
    gates = {name: Future() for name in "abcdef"}
    engines = [Engine(), Engine()]
    monkeypatch.setattr("hotloop.app.run.devices.lanes.at", lambda _, engine: Attempts(engine, gates))
    (incumbent,) = variants(["incumbent"])
    made = Crew(Attempts(engines[0], gates), incumbent, engines)
    yield made, engines, gates
    for gate in gates.values():
        if not gate.done():
            gate.set_result(None)
    made.close()


def variants(names):
    return [SimpleNamespace(label=name, config=name, implementation=SimpleNamespace(language="cuda")) for name in names]


def test_devices_compile_what_waits_while_they_measure(crew):
    made, engines, gates = crew
    asked = variants("abcd")
    for variant in asked:
        made.begin(variant)
    assert engines[1].begun[0] == "incumbent"  # beside which each look is timed
    assert sorted(engines[0].begun + engines[1].begun[1:]) == ["a", "b", "c", "d"]  # no look has ended yet
    for name in "abcd":
        gates[name].set_result(None)
    for _ in asked:
        assert made.next().label == made.answer()
        made.told()
    assert made.out == 0
    assert [engine.settled and engine.settled.label for engine in engines] == [None, "incumbent"]  # one has measured it


def under_way(made, names):
    """Wait until just these are being measured."""
    while {look.key for lane in made._lanes for look in tuple(lane.under_way)} != names:
        sleep(0.001)


def told(made):
    """Take the next result."""
    name = made.next().label
    assert made.answer() == name
    made.told()
    return name


def test_a_result_is_told_when_it_is_there(crew):
    made, _, gates = crew
    for variant in variants("ab"):
        made.begin(variant)
    gates["b"].set_result(None)
    assert told(made) == "b"  # "a" holds nobody up
    gates["a"].set_result(None)
    assert told(made) == "a"


def test_who_goes_on_is_told_in_the_order_of_the_journal(crew):
    made, _, gates = crew
    made._attempts.desk.journal.entries["first of " + digest(["a", "b"])] = '"b"'
    for variant in variants("ab"):
        made.begin(variant)
    gates["a"].set_result(None)
    made._looks[0].found.result(60)
    gates["b"].set_result(None)
    assert [told(made), told(made)] == ["b", "a"]


def test_of_what_waits_the_most_promising_that_is_compiled_is_measured_next(crew):
    made, engines, gates = crew
    for engine in engines:
        engine.compiling = {"e"}
    for variant in variants("abcdef"):
        made.begin(variant)
    under_way(made, {"a", "b"})
    made.arrange(lambda out: sorted(out, reverse=True))
    gates["b"].set_result(None)
    assert told(made) == "b"
    under_way(made, {"a", "f"})
    gates["a"].set_result(None)
    assert told(made) == "a"
    under_way(made, {"c", "f"})  # "e", which is more promising, compiles


def test_a_distant_device_is_asked_of_all_that_waits_at_once():
    """Its answer may have to wait for a measurement there, so several questions would hold up the next look."""
    asked = []

    class Distant(Engine):
        def which(self, groups):
            asked.append(groups)
            return [self.ready(programs) for programs in groups]

    engine = Distant()
    engine.compiling = {"a"}
    looks = [_Look(variant, variant.label, place, (variant.label,)) for place, variant in enumerate(variants("abc"))]
    lane = _Lane(None, "there", engine, surveys=engine)
    assert lane.first(looks).key == "b"
    assert asked == [[("a",), ("b",), ("c",)]]


def test_what_is_compiled_is_measured_before_what_is_not(crew):
    made, engines, gates = crew
    for engine in engines:
        engine.compiling = {"c", "d"}
    for variant in variants("abcdef"):
        made.begin(variant)
    for name in "abef":
        gates[name].set_result(None)
    assert {told(made) for _ in range(4)} == set("abef")
    for engine in engines:
        engine.compiling = set()
    for name in "cd":
        gates[name].set_result(None)
    assert {told(made), told(made)} == {"c", "d"}


def test_a_device_with_nothing_to_do_takes_what_waits_elsewhere(crew, monkeypatch):
    monkeypatch.setattr("hotloop.app.run.devices.lanes._PATIENCE_S", 0.05)
    made, _, gates = crew
    for variant in variants("abcdef"):
        made.begin(variant)
    ended = {look.variant.label: look.found for look in made._looks}
    for name in "bcdef":  # "a" does not end, whichever device has it
        gates[name].set_result(None)
    for name in "bcdef":
        assert ended[name].result(30) == name
    assert not ended["a"].done()


class Several(Engine):
    """A GPU that has two looks at once."""

    looks = 2


@pytest.mark.parametrize(("engine", "most"), [(Several(), 2), (Engine(), 1)])
def test_a_gpu_has_a_second_look_under_way_while_the_first_is_timed(monkeypatch, engine, most):
    gates = {name: Future() for name in "abc"}
    under_way, counts = set(), []
    began = {name: Event() for name in "abc"}

    def look(_self, _incumbent, variant):
        under_way.add(variant.label)
        counts.append(len(under_way))
        began[variant.label].set()
        gates[variant.label].result(60)
        under_way.discard(variant.label)
        return variant.label

    monkeypatch.setattr(Attempts, "look", look)
    monkeypatch.setattr("hotloop.app.run.devices.lanes.at", lambda _, engine: Attempts(engine, gates))
    (incumbent,) = variants(["incumbent"])
    made = Crew(Attempts(engine, gates), incumbent, [engine])
    for variant in variants("abc"):
        made.begin(variant)
    if most > 1:
        assert began["b"].wait(60)  # although "a" has not ended
        gates["b"].set_result(None)
        assert told(made) == "b"
    for name in "abc":
        if not gates[name].done():
            gates[name].set_result(None)
    assert {told(made) for _ in range(made.out)} | {"b"} == set("abc")
    made.close()
    assert max(counts) == most


def test_a_window_is_asked_for_where_looks_overlap_and_none_on_a_cpu():
    def desk(engine):
        made = Desk(engine, SimpleNamespace(kind="gpu"), MemoryJournal(), SystemClock())
        return window(made, "cuda"), "devices at the start" in made.journal.entries

    assert desk(Several()) == (9, False)
    assert desk(Engine()) == (1, False)


def test_a_lost_device_takes_nothing_more_with_any_of_its_threads(monkeypatch):
    """Both of its looks go to the other device, and none of its threads takes them back."""
    gates, engines = {name: Future() for name in "abcd"}, [Several(), Several()]
    at_work = []

    def look(self, _incumbent, variant):
        at_work.append((engines.index(self.desk.engine), variant.label))
        if self.desk.engine is engines[1]:
            raise LostError("gone")
        return variant.label

    monkeypatch.setattr(Attempts, "look", look)
    monkeypatch.setattr("hotloop.app.run.devices.lanes.at", lambda _, engine: Attempts(engine, gates))
    (incumbent,) = variants(["incumbent"])
    made = Crew(Attempts(engines[0], gates), incumbent, engines)
    for variant in variants("abcd"):
        made.begin(variant)
    assert {told(made) for _ in range(made.out)} == set("abcd")
    made.close()
    assert sum(place == 1 for place, _ in at_work) <= 2  # one for each of its threads


def test_what_nobody_has_begun_is_left_when_time_is_over_and_a_resumed_run_leaves_the_same(monkeypatch):
    engine, gates = Several(), {name: Future() for name in "abcde"}
    monkeypatch.setattr("hotloop.app.run.devices.lanes.at", lambda _, engine: Attempts(engine, gates))
    began = {name: Event() for name in "abcde"}

    def look(self, _incumbent, variant):
        began[variant.label].set()
        gates[variant.label].result(60)
        return variant.label

    monkeypatch.setattr(Attempts, "look", look)
    (incumbent,) = variants(["incumbent"])

    def begun():
        made = Crew(Attempts(engine, gates), incumbent, [engine])
        for variant in variants("abcde"):
            made.begin(variant)
        return made

    first = begun()
    assert began["a"].wait(60)
    assert began["b"].wait(60)
    first.leave()
    first.leave()  # again, without effect
    journal = dict(first._attempts.desk.journal.entries)
    for name in "ab":
        gates[name].set_result(None)
    assert {told(first) for _ in range(first.out)} == {"a", "b"}
    first.close()
    again = begun()  # whose threads may have begun any of them by now
    again._attempts.desk.journal.entries.update(journal)
    again.leave()
    assert again.out == 2
    for name in "cde":
        gates[name].set_result(None)
    assert {told(again) for _ in range(2)} == {"a", "b"}
    again.close()


def test_a_card_of_this_machine_is_asked_as_often_as_without_an_engine_that_has_several():
    from types import SimpleNamespace

    from hotloop.app.run.devices import lanes
    from hotloop.engine.ray.cluster import Cluster
    from hotloop.engine.ray.here import Here
    from hotloop.engine.ray.remote import Remote

    there = object.__new__(Remote)
    alone = lanes.asking_s(SimpleNamespace())
    there._cluster = object.__new__(Here)
    assert lanes.asking_s(there) == alone < 0.01
    there._cluster = object.__new__(Cluster)
    assert lanes.asking_s(there) > alone
