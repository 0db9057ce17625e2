"""One warp on its way round a loop of SASS, by hand-made scheduling control."""

from hotloop.isa.dialect import load
from hotloop.isa.nvidia.control import Control
from hotloop.isa.nvidia.prices import GLOBAL_CYCLES
from hotloop.isa.nvidia.scheduled import Scheduled
from hotloop.isa.summary import nvidia
from hotloop.isa.summary.nvidia import NvidiaTiming
from hotloop.isa.summary.regions import regions

NONE = 7


def control(stall=1, write=None, wait=()):
    return Control(stall, False, write, None, sum(1 << barrier for barrier in wait), 0)


def scheduled(rows):
    """Rows of (text, control); a loop over all but the last."""
    text = "\t.target\tsm_80\n\t.section\t.text.k\nk:\n.L_0:\n" + "".join(
        f"        /*{16 * n:04x}*/ {row} ;\n" for n, (row, _) in enumerate(rows)
    )
    (function,) = load("sass").parse(text)
    last = len(rows) - 1
    following = tuple((n + 1, 0) if "BRA" in rows[n][0] else (n + 1,) if n < last else () for n in range(len(rows)))
    return Scheduled(function, tuple(c for _, c in rows), following)


def loop_of(rows):
    made = scheduled(rows)
    timing = NvidiaTiming(made)
    return timing, timing.loop(regions(made.function)[0])


def test_a_load_needed_at_once_is_exposed():
    timing, found = loop_of([
        ("LDG.E R4, [R2.64]", control(write=0)),
        ("FFMA R5, R4, R4, R5", control(4, wait=(0,))),
        ("@P0 BRA `(.L_0)", control(5)),
        ("EXIT", control(5)),
    ])  # fmt: skip
    (loads,) = found.hiding
    assert (loads.group, loads.verdict, loads.iterations, loads.instructions) == ("global loads", "exposed", 0, 1)
    assert loads.stall_cycles == GLOBAL_CYCLES - 1
    assert found.cycles == 1 + GLOBAL_CYCLES - 1 + 4 + 5
    assert found.waits[0].counter == "SB0"
    assert not timing.hazards
    assert {p.file: p.live for p in timing.pressure(None)}["R"] == 4  # R2, R3, R4, R5


def test_a_load_for_the_next_iteration_is_hidden_by_work():
    work = [("FFMA R8, R8, R8, R8", control(8)) for _ in range(80)]
    _, found = loop_of([
        ("MOV R5, R4", control(2, wait=(0,))),
        ("LDG.E R4, [R2.64]", control(write=0)),
        *work,
        ("@P0 BRA `(.L_0)", control(5)),
        ("EXIT", control(5)),
    ])  # fmt: skip
    (loads,) = found.hiding
    assert (loads.verdict, loads.iterations, loads.stall_cycles) == ("hidden", 1, 0)
    assert loads.covered == 1


def test_the_second_of_two_exposed_loads_is_not_hidden_by_the_first():
    _, found = loop_of([
        ("LDG.E R4, [R2.64]", control(write=0)),
        ("LDG.E R6, [R2.64+0x100]", control(write=1)),
        ("FFMA R5, R4, R4, R5", control(4, wait=(0,))),
        ("FFMA R5, R6, R6, R5", control(4, wait=(1,))),
        ("@P0 BRA `(.L_0)", control(5)),
        ("EXIT", control(5)),
    ])  # fmt: skip
    (loads,) = found.hiding
    assert loads.covered < 0.05
    assert loads.stall_cycles < GLOBAL_CYCLES + 10  # they overlap


def test_copies_are_waited_for_by_group():
    rows = [
        ("LDGSTS.E.128 [R6], [R2.64]", control()),
        ("LDGDEPBAR", control(write=0)),
        ("DEPBAR.LE SB0, 0x1", control()),
        ("LDS.128 R8, [R7]", control(2, write=1)),
        ("FFMA R5, R8, R8, R5", control(4, wait=(1,))),
        ("@P0 BRA `(.L_0)", control(5)),
        ("EXIT", control(5)),
    ]
    _, found = loop_of(rows)
    copies = next(h for h in found.hiding if h.group == "copies to shared memory")
    assert (copies.operations, copies.iterations) == (1, 1)
    rows[2] = ("DEPBAR.LE SB0, 0x0", control())
    _, drained = loop_of(rows)
    assert next(h for h in drained.hiding if h.group == "copies to shared memory").iterations == 0


def test_a_loop_is_looked_through_for_matrix_instructions_as_often_however_many_loads_it_has(monkeypatch):
    def asked(loads):
        looked = []
        real = nvidia._matrices
        monkeypatch.setattr(nvidia, "_matrices", lambda *of: looked.append(1) or real(*of))
        rows = [
            row
            for n in range(loads)
            for row in (
                (f"LDG.E R{4 + n}, [R2.64]", control(write=n % 6)),
                ("HMMA.16816.F32 R200, R204, R208, R200", control(4)),
                (f"FADD R{4 + n}, R{4 + n}, R{4 + n}", control(4, wait=(n % 6,))),
            )
        ]
        _, found = loop_of([*rows, ("@P0 BRA `(.L_0)", control(5)), ("EXIT", control(5))])
        monkeypatch.undo()
        assert found.hiding[0].matrices == 1
        assert found.cover == 1 / loads
        return len(looked)

    assert asked(3) == asked(30)
