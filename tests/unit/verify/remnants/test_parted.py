from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run.lent.parting import _beyond, looks, spent
from hotloop.app.run.lent.power import Lead
from hotloop.model.program import Array, Launch, Program, Scratch, Value
from hotloop.ports import Slot
from hotloop.verify.remnants.parted import PARTED, parted, unlooked, written
from hotloop.verify.remnants.text import OWN

SLOTS = (
    Slot("x", "float32", (1000,), "x", output=False, input=True),
    Slot("y", "float32", (1000,), "y", output=True, input=False),
)
LAUNCH = Launch("k", (Array("x"), Array("y"), Value(1000, "int32")), (1024,), (64,))
TEXT = """
__kernel void k(__global const float *x, __global float *restrict y, const int n) {
    __local float t[64];
    if (get_global_id(0) < n) y[get_global_id(0)] = x[0];
}
"""


def test_each_group_has_a_copy_of_what_is_written_only_and_a_launch_fills_all():
    made = parted(Program("opencl", TEXT, launches=(LAUNCH,)), SLOTS, "parted")
    assert made is not None
    fill, called = made.launches
    assert [area.scratch_bytes for area in made.scratch] == [16 * 4032]
    assert fill.global_size == (4032 // 4, 16)
    assert fill.arguments[0] == Array("y")
    assert called.entry == f"{PARTED}k"
    assert called.arguments[:2] == (Array("x"), Array(made.scratch[0].name))
    assert called.arguments[3:] == (Value(1, "uint32"), Value(4032, "uint64"))
    text = " ".join(made.source.split())
    assert f"__local float t[64]; if ({OWN}_called) k(x, (__typeof__(y))((__global uchar *)y + {OWN}_group()" in text


def test_the_three_versions_have_one_text_and_differ_in_arguments():
    made = [parted(Program("opencl", TEXT, launches=(LAUNCH,)), SLOTS, how) for how in ("never", "together", "parted")]
    assert len({one.source for one in made}) == 1
    assert [[one.value for one in program.launches[1].arguments[3:]] for program in made] == [[0, 0], [1, 0], [1, 4032]]


def test_a_program_that_only_writes_is_launched_in_the_same_groups_and_has_copies_of_its_own():
    area = Scratch("area", 2**20)
    given = Launch("k", (*LAUNCH.arguments, Array("area")), (1024,), (64,))
    made = written(Program("opencl", TEXT, launches=(given,), scratch=(area,)), SLOTS)
    (launch,) = made.launches
    assert made.scratch == (), "how large that is only the candidate knows"
    assert launch.arguments == (Array("y"), Value(1000, "uint32"))
    assert (launch.global_size, launch.local_size) == (LAUNCH.global_size, LAUNCH.local_size)
    assert parted(made, SLOTS, "parted").launches[1].arguments[3] == Value(4032, "uint64")
    assert written(Program("opencl", TEXT, launches=(Launch("k", LAUNCH.arguments, (64,), (64,)),)), SLOTS) is None


def test_copies_overlap_where_one_for_each_group_takes_too_much():
    slots = (SLOTS[0], Slot("y", "float32", (2**20,), "y", output=True, input=False))
    launch = Launch("k", LAUNCH.arguments, (2**20,), (64,))
    made = parted(Program("opencl", TEXT, launches=(launch,)), slots, "parted")
    assert made.launches[1].arguments[4] == Value(15 * 64, "uint64")
    assert made.scratch[0].scratch_bytes == 4 * 2**22 + 2**22


@pytest.mark.parametrize(
    ("text", "launches", "slots"),
    [
        pytest.param(TEXT, (LAUNCH, LAUNCH), SLOTS, id="a kernel that is launched twice"),
        pytest.param("#define K __kernel void\n" + TEXT.replace("__kernel void", "K"), (LAUNCH,), SLOTS, id="a macro"),
        pytest.param(TEXT, (Launch("k", LAUNCH.arguments, (64,), (64,)),), SLOTS, id="one group"),
        pytest.param(
            TEXT.replace("if (", "while (!atomic_or((volatile __global int *)y, 0)); if ("),
            (LAUNCH,),
            (SLOTS[0], Slot("y", "float32", (1000,), "y", output=True, input=True)),
            id="counters that groups share",
        ),
    ],
)
def test_some_programs_have_no_such_version(text, launches, slots):
    assert parted(Program("opencl", text, launches=launches), slots, "parted") is None


IN_OUT = (SLOTS[0], Slot("y", "float32", (1000,), "y", output=True, input=True))


@pytest.mark.parametrize(
    ("added", "waits"),
    [
        ("volatile int z = 0;", False),
        ("atomic_inc((volatile __global int *)y);", False),
        ("do { z = y[0]; } while (atomic_cmpxchg((volatile __global int *)y, 0, 1) != 0);", False),
        ("while (!atomic_or((volatile __global int *)y, 0));", True),
        ("for (;;) if (*(volatile __global int *)y) break;", True),
        ("while (z < 3) ++z;", False),
    ],
)
def test_arrays_with_content_have_copies_unless_groups_may_wait_for_one_another_by_them(added, waits):
    program = Program("opencl", TEXT.replace("if (", f"{added} if ("), launches=(LAUNCH,))
    assert (parted(program, IN_OUT, "parted") is None) is waits
    assert unlooked(program, IN_OUT) is waits
    assert not unlooked(program, SLOTS)


def test_copies_of_what_is_only_written_begin_as_zeros_and_all_input_sets_share_them():
    made = parted(Program("opencl", TEXT, launches=(LAUNCH,)), SLOTS, "parted")
    assert made.launches[0].arguments[2] == Value(0, "uint32")
    assert made.scratch[0].shared
    filled = parted(Program("opencl", TEXT, launches=(LAUNCH,)), IN_OUT, "parted")
    assert filled.launches[0].arguments[2] == Value(1000, "uint32")


def lost(row, lead, plain_ns=110.0, others_ns=(0.0, 0.0), *, whole=True):
    found = _beyond(row, Lead.of(lead), plain_ns, others_ns, whole=whole)
    return found.ns >= found.lost_ns


def test_a_lead_is_lost_only_where_copies_cost_the_candidate_much_more_than_the_incumbent():
    assert lost((110.0, 80.0, 190.0, 790.0), 2.0, plain_ns=110.0, whole=True)
    assert not lost((110.0, 80.0, 190.0, 200.0), 2.0, plain_ns=110.0, whole=True)
    others_ns = spent([(520.0, 80.0, 600.0, 1000.0)])
    assert not lost((110.0, 80.0, 190.0, 790.0), 2.0, plain_ns=110.0, others_ns=others_ns, whole=True)
    assert not lost((10.0, 80.0, 90.0, 98.0), 2.0, plain_ns=110.0, whole=True)


def test_what_copies_cost_others_is_that_of_the_middle_round_and_of_the_one_that_pays_most():
    rounds = [(10.0, 5.0, 15.0, last, 10.0, 5.0, 15.0, 20.0) for last in (16.0, 17.0, 900.0)]
    assert spent(rounds) == (5.0, 5.0)
    assert spent([()]) == (0.0, 0.0)
    assert spent([(10.0, 5.0, 15.0, 12.0)]) == (0.0, 0.0)


def test_a_lead_is_lost_where_a_kernel_does_the_work_as_soon_as_there_are_copies():
    assert lost((440.0, 80.0, 520.0, 1100.0), 2.0, plain_ns=110.0, whole=True)  # slower as a function
    assert lost((110.0, 80.0, 790.0, 790.0), 2.0, plain_ns=110.0, whole=True)


def test_of_several_launches_the_last_that_has_an_array_has_copies_and_scratch_areas_only_where_one_launch_has_them():
    text = TEXT + TEXT.replace(" k(", " last(")
    areas = (Scratch("one", 512), Scratch("both", 512))
    first, last = (Array("x"), Array("both"), Value(1, "int32")), (Array("one"), Array("y"), Value(1, "int32"))
    launches = (Launch("k", first, (1024,), (64,)), Launch("last", (*last, Array("both")), (1024,), (64,)))
    text = text.replace(
        "last(__global const float *x, __global float *restrict y, const int n",
        "last(__global float *x, __global float *y, const int n, __global float *b",
    )
    made = parted(Program("opencl", text, launches=launches, scratch=areas), SLOTS, "parted")
    assert made is not None
    assert [one.name for one in made.scratch] == ["one", "both", f"{OWN}_y", f"{OWN}_one"]
    assert [launch.entry for launch in made.launches] == ["k", f"{OWN}_copy", f"{OWN}_copy", f"{PARTED}last"]
    assert made.launches[-1].arguments[:4] == (Array(f"{OWN}_one"), Array(f"{OWN}_y"), Value(1, "int32"), Array("both"))


AFTER = Launch("after", (Array("y"),), (1024,), (64,))
BOTH = TEXT + "__kernel void after(__global float *y) { y[get_global_id(0)] += 1.0f; }"


def test_beginnings_of_a_call_are_looked_at_where_later_launches_have_the_same_results():
    workload = SimpleNamespace(sets=lambda: (SimpleNamespace(slots=SLOTS),))
    both = Program("opencl", BOTH, launches=(LAUNCH, AFTER))
    assert [one.launches for one in looks(workload, both)] == [(LAUNCH, AFTER), (LAUNCH,)]
    loop = Program("opencl", BOTH, launches=(LAUNCH, AFTER) * 3)  # of a loop of launches the first turn
    assert [len(one.launches) for one in looks(workload, loop)] == [6, 1, 2]
    alone = Program("opencl", TEXT, launches=(LAUNCH,))
    assert looks(workload, alone) == (alone,)


def test_of_a_beginning_the_lead_of_the_whole_call_may_be_lost():
    row = (10.0, 1.0, 11.0, 40.0)  # itself, no kernel called, one copy for all, own copies
    assert lost(row, 0.3, 1000.0, whole=True)
    assert not lost(row, 0.3, 1000.0, whole=False)
    assert lost((10.0, 1.0, 11.0, 400.0), 0.3, 1000.0, whole=False)
