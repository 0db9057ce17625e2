"""A lead of a program whose variables outlive its calls."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run.lent.keeping import doubted
from hotloop.model.outcome import Artifact, CompileFailed, Resources, Sample
from hotloop.model.program import Array, Launch, Program
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import Dataset, Round, Slot, Timed

CLOCK = SimpleNamespace(monotonic_s=lambda: 0.0)


def compared(verdict, incumbent, candidate):
    built = {"a": incumbent, "b": candidate}
    made = {
        name: Artifact(name, 0.0, kept_bytes=size) if size is not None else CompileFailed("")
        for name, size in built.items()
    }
    engine = SimpleNamespace(build=lambda program: made[program.source])
    desk = SimpleNamespace(engine=engine, clock=CLOCK, device=SimpleNamespace(kind="cpu"))
    found = Comparison(
        verdict=verdict, speedup=2.0, low=1.9, high=2.1, log_ratios=(0.7,) * 5, confidence=0.99, margin=0.02
    )
    return doubted(
        desk,
        SimpleNamespace(sets=lambda: (Dataset("a set", ()),)),
        (Program("opencl", "a"), Program("opencl", "b")),
        found,
    )


@pytest.mark.parametrize(("incumbent", "candidate"), [(0, 0), (4, 4), (64, 4), (None, 0), (0, None)])
def test_who_keeps_no_more_than_the_incumbent_may_be_faster(incumbent, candidate):
    assert compared(Verdict.FASTER, incumbent, candidate).verdict is Verdict.FASTER


def test_who_keeps_as_much_as_a_table_is_not_called_faster_although_the_incumbent_keeps_it_too():
    assert compared(Verdict.FASTER, 4096, 4096).verdict is Verdict.UNCLEAR


def test_who_keeps_more_is_not_called_faster():
    found = compared(Verdict.FASTER, 4, 4096)
    assert found.verdict is Verdict.UNCLEAR
    assert "4.00 KiB" in found.reason
    assert "scratch" in found.reason


def test_other_verdicts_stay():
    assert compared(Verdict.SLOWER, 0, 4096).verdict is Verdict.SLOWER


LOCAL = "__kernel void k(__global float *y) { __local float t[64]; }"


@pytest.mark.parametrize(
    ("ns", "verdict"),
    [((300, 310, 310), Verdict.FASTER), ((300, 310, 1710), Verdict.UNCLEAR)],
)
def test_a_lead_that_is_lost_when_groups_overwrite_their_local_memory_is_none(ns, verdict):
    taken = Round(tuple((index, Sample(wall_ns=9e9, calls=2, cpu_ns=2e3 * spent)) for index, spent in enumerate(ns)))
    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=lambda _: Timed((taken,) * 8, (1, 1, 1))),
        device=SimpleNamespace(kind="cpu"), mode="rotated",
    )  # fmt: skip
    found = Comparison(
        verdict=Verdict.FASTER, speedup=2.5, low=2, high=3, log_ratios=(0.9,) * 5, confidence=0.99, margin=0.02
    )
    programs = (Program("opencl", "a"), Program("opencl", LOCAL))
    assert doubted(desk, SimpleNamespace(sets=lambda: (Dataset("a set", ()),)), programs, found).verdict is verdict


LOST, NOISE = (300, 330, 330), (330, 300, 300)


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        ([LOST] * 14 + [NOISE] * 2, "overwritten"), ([LOST, NOISE] * 8, "could not be seen"), ([LOST] * 9 + [NOISE] * 7, "could not be seen"),
        ([NOISE] * 16, ""), ([NOISE] * 14 + [LOST] * 2, ""),
    ],
)  # fmt: skip
def test_a_small_lead_is_none_where_nearly_all_rounds_lose_it_and_one_only_where_nearly_all_keep_it(rounds, told):
    taken = tuple(
        Round(tuple((index, Sample(wall_ns=9e9, calls=1, cpu_ns=1e3 * spent)) for index, spent in enumerate(each)))
        for each in rounds
    )
    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=lambda _: Timed(taken, (1, 1, 1))),
        device=SimpleNamespace(kind="cpu"), mode="rotated",
    )  # fmt: skip
    found = Comparison(
        verdict=Verdict.FASTER, speedup=1.1, low=1.08, high=1.12, log_ratios=(0.1,) * 5, confidence=0.99, margin=0.02
    )
    programs = (Program("opencl", "a"), Program("opencl", LOCAL))
    found = doubted(desk, SimpleNamespace(sets=lambda: (Dataset("a set", ()),)), programs, found)
    assert found.verdict is (Verdict.UNCLEAR if told else Verdict.FASTER)
    assert told in found.reason


LEAD = Comparison(
    verdict=Verdict.FASTER, speedup=2.0, low=1.9, high=2.1, log_ratios=(0.7,) * 5, confidence=0.99, margin=0.02
)


def reason(source, sizes, *, varied=True):
    """Return what is said of a lead of a source, by the resources of what is built: a function of its text."""

    def build(program):
        used = Resources() if program.source == "a" else sizes(program.source)
        return Artifact("k", 0.0, resources=(("k", used),)) if used else CompileFailed("")

    engine = SimpleNamespace(build=build, time=lambda _: CompileFailed(""))
    desk = SimpleNamespace(engine=engine, clock=CLOCK, device=SimpleNamespace(kind="cpu"), mode="rotated")
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", ()),), kernel=SimpleNamespace(varied=varied))
    return doubted(desk, workload, (Program("opencl", "a"), Program("opencl", source)), LEAD).reason


@pytest.mark.parametrize(
    ("source", "sizes", "hidden"),
    [
        ("b", lambda _: Resources(local_bytes=0), False),
        ("b", lambda _: Resources(local_bytes=544), True),
        (LOCAL, lambda text: Resources(local_bytes=256 * text.count("[64]")), False),
        (LOCAL, lambda text: Resources(local_bytes=256 * text.count("[64]") + 136), True),
        (LOCAL, lambda text: Resources(local_bytes=256) if text == LOCAL else None, True),
    ],
    ids=("none", "not in the text", "in plain sight", "more than in plain sight", "nothing can be added"),
)
def test_local_memory_that_the_text_hides_is_no_ground_for_a_lead(source, sizes, hidden):
    assert ("plain sight" in reason(source, sizes)) is hidden


@pytest.mark.parametrize(
    ("source", "private_bytes", "varied", "told"),
    [
        ("GO k(__global float *y) { }", 1280, True, True),
        ("GO k(__global float *y) { }", 256, True, False),
        ("GO k(__global float *y) { }", 1280, False, False),
        ("__kernel void k(__global float *y) { }", 1280, True, False),
    ],
    ids=("a macro's", "with little private memory", "of a family", "in plain sight"),
)
def test_much_private_memory_in_a_kernel_that_nobody_can_find_is_no_ground_for_a_lead(
    source, private_bytes, varied, told
):
    found = reason(source, lambda _: Resources(private_bytes=private_bytes), varied=varied)
    assert ("private memory" in found) is told


@pytest.mark.parametrize(("private_bytes", "told"), [(1280, True), (256, False)])
def test_private_memory_that_a_macro_declares_is_no_ground_for_a_lead_whatever_the_incumbent_has(private_bytes, told):
    source = "#define MINE(a) float a[64]\n__kernel void k(__global float *y) { MINE(t); y[0] = t[1]; }"
    found = reason(source, lambda _: Resources(private_bytes=private_bytes))
    assert ("'#define MINE'" in found) is told


@pytest.mark.parametrize(
    ("extra", "verdict", "most"),
    [("", Verdict.FASTER, 6), ("\n#ifdef t\n#endif\n", Verdict.UNCLEAR, 4)],
)
def test_a_look_compiles_each_text_once_and_a_text_that_asks_how_it_is_looked_at_is_not_called_faster(
    extra, verdict, most
):
    built = set()
    taken = Round(tuple((index, Sample(wall_ns=9e9, calls=1, cpu_ns=3e3)) for index in range(3)))

    def build(program):
        built.add(program.build_key)
        return Artifact("k", 0.0, resources=(("k", Resources(local_bytes=256 * program.source.count("t[64]"))),))

    def time(request):
        built.update(one.build_key for one in request.programs)
        return Timed((taken,) * 8, (1, 1, 1))

    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=build, time=time), device=SimpleNamespace(kind="cpu"), mode="rotated"
    )
    found = Comparison(
        verdict=Verdict.FASTER, speedup=2.5, low=2, high=3, log_ratios=(0.9,) * 5, confidence=0.99, margin=0.02
    )
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", ()),), kernel=SimpleNamespace(varied=True))
    programs = (Program("opencl", "a"), Program("opencl", LOCAL.replace("t[64];", f"t[64];{extra}")))
    assert doubted(desk, workload, programs, found).verdict is verdict
    assert len(built) == most


PARTS = "__kernel void k(__global float *y) { y[get_global_id(0)] = 1; }"


@pytest.mark.parametrize(
    ("ns", "verdict"),
    [
        pytest.param((110, 80, 190, 200, 10, 80, 90, 90), Verdict.FASTER, id="copies cost little"),
        pytest.param((110, 80, 190, 790, 10, 80, 90, 190), Verdict.UNCLEAR, id="groups use what others left"),
        pytest.param(
            (110, 80, 190, 290, 90, 80, 170, 260), Verdict.FASTER, id="copies cost as much where nothing else is done"
        ),
        pytest.param(
            (110, 80, 190, 290, 90, 80, 170, 180), Verdict.UNCLEAR, id="copies cost nothing where nothing else is done"
        ),
    ],
)
def test_a_lead_that_is_lost_when_each_group_has_a_copy_of_the_results_is_none(ns, verdict):
    taken = Round(tuple((index, Sample(wall_ns=9e9, calls=1, cpu_ns=1e3 * spent)) for index, spent in enumerate(ns)))
    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=lambda _: Timed((taken,) * 8, (1, 1, 1))),
        device=SimpleNamespace(kind="cpu"), mode="rotated",
    )  # fmt: skip
    slot = Slot("y", "float32", (1024,), "y", output=True, input=False)
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", (slot,)),), kernel=SimpleNamespace(varied=True))
    launch = Launch("k", (Array("y"),), (1024,), (64,))
    candidate = Program("opencl", PARTS, launches=(launch,))
    found = doubted(desk, workload, (Program("opencl", "a"), candidate), LEAD)
    assert found.verdict is verdict or "private" in found.reason
    assert ("copy of the results" in found.reason) == (verdict is Verdict.UNCLEAR)


def test_a_kernel_that_a_macro_makes_is_not_called_faster_than_one_that_can_be_looked_at():
    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=lambda _: Timed((), ())),
        device=SimpleNamespace(kind="cpu"), mode="rotated",
    )  # fmt: skip
    slot = Slot("y", "float32", (1024,), "y", output=True, input=False)
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", (slot,)),), kernel=SimpleNamespace(varied=True))
    launch = Launch("k", (Array("y"),), (1024,), (64,))
    plain, hidden = (
        Program("opencl", text, launches=(launch,))
        for text in (PARTS, "#define K __kernel void\nK k(__global float *y) {}")
    )
    assert "without macros" in doubted(desk, workload, (plain, hidden), LEAD).reason
    assert doubted(desk, workload, (hidden, hidden), LEAD).verdict is Verdict.FASTER


ARRAY = "__kernel void k(__global float *y) { volatile float t[64]; y[0] = t[1]; }"


@pytest.mark.parametrize(("there", "told"), [(1100, False), (4000, True)])
def test_private_variables_are_overwritten_in_kernels_as_they_stand(there, told):
    """Beside one another, and not as functions, where a compiler makes vectors of neighbouring items."""

    def time(request):
        looked = len(request.programs) == 3 and "_emptied 1" in request.programs[1].source
        ns = (300, 1000, there) if looked else (300,) * len(request.programs)
        return Timed(
            (Round(tuple((i, Sample(wall_ns=9e9, calls=1, cpu_ns=spent)) for i, spent in enumerate(ns))),) * 8, ()
        )

    desk = SimpleNamespace(
        clock=CLOCK, engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=time),
        device=SimpleNamespace(kind="cpu"), mode="rotated",
    )  # fmt: skip
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", ()),), kernel=SimpleNamespace(varied=True))
    found = doubted(desk, workload, (Program("opencl", "a"), Program("opencl", ARRAY)), LEAD)
    assert ("private memory overwritten" in found.reason) is told


SPIN = "__kernel void k(__global float *y) { while (!atomic_or((volatile __global int *)y, 0)); y[1] = 2; }"
PLAIN = "__kernel void k(__global float *y) { y[1] = 2; }"


@pytest.mark.parametrize(
    ("incumbent", "candidate", "told"), [(PLAIN, SPIN, True), (SPIN, SPIN, False), (PLAIN, PLAIN, False)]
)
def test_groups_that_may_wait_for_one_another_by_what_comes_with_content_are_told(incumbent, candidate, told):
    engine = SimpleNamespace(build=lambda _: Artifact("k", 0.0), time=lambda _: CompileFailed(""))
    desk = SimpleNamespace(engine=engine, clock=CLOCK, device=SimpleNamespace(kind="cpu"), mode="rotated")
    slot = Slot("y", "float32", (1000,), "y", output=True, input=True)
    workload = SimpleNamespace(sets=lambda: (Dataset("a set", (slot,)),), kernel=SimpleNamespace(varied=True))
    launches = (Launch("k", (Array("y"),), (1024,), (64,)),)
    programs = tuple(Program("opencl", text, launches=launches) for text in (incumbent, candidate))
    assert ("wait for one another" in doubted(desk, workload, programs, LEAD).reason) is told
