"""The ladders of the GEMM as data, and the Gluon sources executed with the element maps of the matrix instructions."""

from importlib import resources

import pytest

from hotloop.app import userfile
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import config_of, problem_of
from hotloop.isa.banks.conflict import conflicts
from hotloop.isa.instruction import Function, Instruction
from hotloop.kernels.gemm.ladders import execute
from hotloop.kernels.gemm.ladders.accesses import accesses, pipelined, scheduled
from hotloop.kernels.gemm.ladders.gates import gates
from hotloop.kernels.gemm.problem import gemm
from hotloop.targets.banks import model
from hotloop.techniques.moves import techniques

LADDERS = ladder_data.ladders("gemm")
SOURCE = (resources.files("hotloop.kernels.gemm.ladders") / "stages.py").read_text(encoding="utf-8")
KERNELS = [f"{stage}{suffix}" for stage in ("base", "stage1", "stage2") for suffix in ("", "_ragged")]


# --- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_rungs_stand_on_rungs_before_them(ladder):
    seen = {}
    for rung in ladder.rungs:
        assert rung.name not in seen
        assert rung.change
        assert not rung.after or seen[rung.after].series == rung.series
        seen[rung.name] = rung
    assert [r.name for r in ladder.rungs if not r.after and not r.series] == [ladder.rungs[0].name]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_techniques_are_of_the_menu(ladder):
    assert {rung.technique for rung in ladder.rungs} - {""} <= set(techniques())


@pytest.mark.parametrize("ladder", [found for found in LADDERS if not found.source], ids=lambda ladder: ladder.name)
@pytest.mark.parametrize("processor", ["x86-64-avx2", "x86-64-avx512"])
def test_configurations_and_problems_exist(ladder, processor):
    kernel = userfile.find("gemm")
    for rung in ladder.rungs:
        config = config_of(kernel, ladder, rung, processor)
        assert kernel.implementation(ladder.implementation(rung)).space.violation(config) is None
        gemm(problem_of(kernel, ladder, rung))


def test_every_item_of_the_roadmap_is_there():
    (ladder,) = (found for found in LADDERS if found.name == "rdna")
    assert ladder.missing == ()
    told = [item for rung in ladder.rungs for item in rung.item.split(", ")]
    spelled = " ".join(ladder.notes)
    wanted = {"1", "2", "3", "4", "5", "5'", *map(str, range(6, 21))}
    assert wanted - set(told) == {"13"}
    assert "13" in spelled


def test_every_amd_ladder_has_predictions_and_limits():
    for ladder in LADDERS:
        for target in ladder.targets:
            if target == "cpu":
                continue
            forecast = ladder_data.forecast("gemm", target)
            assert forecast is not None, target
            assert (forecast.target, forecast.ladder) == (target, ladder.name)
            names = {rung.name for rung in ladder.on(target)}
            assert {forecast.winner, *(s.rung for s in forecast.steps), *(s.over for s in forecast.steps)} <= names
            assert all(0 < step.low < step.high and step.evidence for step in forecast.steps)
            assert set(ladder_data.limits("gemm", target)) == names


# --- numerics --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_stages_compute_the_product(kernel, target):
    found = execute.verify(kernel, target)
    assert found.passed
    assert found.worst_ratio > 0


def test_shapes_are_ragged_and_none_is_square():
    assert all(len({m, n, k}) > 1 and m != n for m, n, k in (*execute.EVEN, *execute.RAGGED))
    assert any(k % execute.TILE for _, _, k in execute.RAGGED)
    assert any(k < execute.TILE for _, _, k in execute.RAGGED)


MUTATIONS = {
    "a pointer that does not advance": ("stage1", "gfx942", "    for step in range(K, k, K):\n        oa += K\n", "    for step in range(K, k, K):\n"),
    "a pointer of B that advances like A's": ("stage2", "gfx942", "ob += K * sb", "ob += K"),
    "a slot that is not exchanged": ("stage1", "gfx950", "        now = 1 - now\n", ""),
    "a wait that leaves too much in flight": ("stage1", "gfx950", "wait(1, ASYNC)", "wait(2, ASYNC)"),
    "a tail without its wait": ("stage2", "gfx950", "    wait(0, ASYNC)\n    p, q = read(ta.index(now)", "    p, q = read(ta.index(now)"),
    "a copy into the slot that is read": ("stage1", "gfx950", "ta.index(1 - now), tb.index(1 - now)", "ta.index(now), tb.index(now)"),
    "a tail that is left out": ("stage2", "gfx942", "    acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)\n    wait(0, ASYNC)\n", "    wait(0, ASYNC)\n"),
    "operands of the wrong step": ("stage2", "gfx950", "        p = np\n", ""),
    "a mask that forgets the edge of k": ("stage1_ragged", "gfx942", "(ka < left)[None, :]", "(ka < K)[None, :]"),
    "a mask that forgets the edge of n": ("base_ragged", "gfx950", "(q < n)[None, :]", "(q == q)[None, :]"),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTATIONS)
def test_defects_of_the_source_are_caught(name):
    kernel, target, old, new = MUTATIONS[name]
    assert old in SOURCE
    try:
        found = execute.verify(kernel, target, SOURCE.replace(old, new))
    except IndexError:
        return
    assert not found.passed


def test_reported_defect_of_draining_is_slow_but_right():
    assert execute.verify("stage2_drained", "gfx950").passed


# --- local memory ----------------------------------------------------------------------------------------------------


def cycles(changes, what):
    (access,) = (a for a in accesses(changes, 32) if a.what == what)
    return conflicts(model("gfx1012", access.op, access.bits, 32), access.addresses_bytes)


BASE = {"MDIM": 8, "NDIM": 8, "MWI": 8, "NWI": 8, "VW": 2, "KUNROLL": 2}


def test_padding_takes_away_the_conflicts_of_writing_a_transposed_tile():
    before, after = (cycles({**BASE, "PAD": pad}, "write A") for pad in (0, 4))
    assert before.degree == 16  # 16 steps of k fall on the same bank, two rows of A share a wave
    assert after.degree == 2


def test_swizzle_helps_without_using_memory():
    assert cycles({**BASE, "SWZ": 8}, "write A").degree < cycles(BASE, "write A").degree
    assert len(set(cycles({**BASE, "SWZ": 8}, "write A").addresses)) == 32


def test_nothing_is_accessed_that_is_not_staged():
    assert accesses({**BASE, "SA": 0, "SB": 0}, 32) == ()
    assert {a.what for a in accesses({**BASE, "SB": 0}, 32)} == {"read A", "write A"}


BOTH = {"MDIM": 8, "NDIM": 8, "MWI": 8, "NWI": 8, "KWG": 16, "KUNROLL": 2, "WIDE": 4, "PAD": 4}


def test_the_gpu_source_reads_both_sides_in_vectors_without_conflicts():
    found = {a.what: a for a in pipelined(BOTH, 32)}
    assert {name: a.bits for name, a in found.items()} == {"read A": 128, "read B": 128, "write A": 32, "write B": 128}
    for name in ("read A", "read B", "write B"):
        access = found[name]
        cost = conflicts(model("gfx1012", access.op, access.bits, 32), access.addresses_bytes)
        assert cost.cycles == cost.ideal_cycles, name
    assert len(set(found["read A"].addresses_bytes)) == 4  # blocks of 8 x 4 items: few different vectors
    assert len(set(found["read B"].addresses_bytes)) == 8


@pytest.mark.parametrize(
    "changes", [BOTH, {**BOTH, "PAD": 0, "SWZ": 2}, {**BOTH, "MWI": 4, "MDIM": 16}, {"MDIM": 4, "NDIM": 4}]
)
def test_what_a_wave_of_the_gpu_source_writes_never_overlaps(changes):
    for access in pipelined(changes, 32):
        if access.op == "write":
            assert len(set(access.addresses_bytes)) == len(access.addresses_bytes)


SHARED = {**BOTH, "MDIM": 4, "NDIM": 16, "MWI": 16, "NWI": 4}


def test_without_shared_lanes_the_accesses_are_those_of_the_gpu_source():
    assert scheduled({**BOTH, "ORDER": 1, "PERSISTENT": 8}, 32) == pipelined(BOTH, 32)


def test_lanes_that_share_read_each_element_of_a_once_and_without_conflicts():
    (read,) = (a for a in scheduled({**SHARED, "LANES": 16}, 32) if a.what == "read A")
    assert (read.bits, len(set(read.addresses_bytes))) == (32, 32)
    cost = conflicts(model("gfx1012", read.op, read.bits, 32), read.addresses_bytes)
    assert cost.cycles == cost.ideal_cycles == 1
    assert read.addresses_bytes[:16] == tuple(range(0, 64, 4))  # 16 rows of the first 16 lanes
    assert read.addresses_bytes[16] == 64


def test_fewer_rows_than_lanes_are_read_for_several_steps():
    (read,) = (
        a for a in scheduled({**SHARED, "MWI": 8, "NWI": 8, "KUNROLL": 2, "LANES": 16}, 32) if a.what == "read A"
    )
    pitch = 4 * (4 * 8 + 4)
    assert read.addresses_bytes[:16] == (*range(0, 32, 4), *range(pitch, pitch + 32, 4))


def asking(*lanes, mnemonic="v_mov_b32_dpp", text="v1, v0 row_share:{} row_mask:0xf bank_mask:0xf"):
    (ladder,) = (found for found in LADDERS if found.name == "rdna")
    rows = tuple(Instruction(4 * n, mnemonic, text.format(lane), None) for n, lane in enumerate(lanes))
    return gates(ladder, ladder.rung("lanes-16" if "share" in text else "lanes-32"), Function("gemm", rows))


def test_the_gate_wants_every_lane_equally_often():
    assert [gate.words for gate in asking(*range(16), *range(16))] == ["each of 16 lanes is asked 2 times"]
    scalar = asking(*range(32), mnemonic="v_readlane_b32", text="s4, v7, {}")
    assert [(gate.passed, gate.words) for gate in scalar] == [(True, "each of 32 lanes is asked 1 times")]


@pytest.mark.parametrize(
    ("lanes", "words"),
    [(range(15), "lanes [15] are never asked"), ((*range(16), 3), "3: 2"), ((), "are never asked")],
)
def test_the_gate_says_which_lane_is_wrong(lanes, words):
    (gate,) = asking(*lanes)
    assert not gate.passed
    assert words in gate.words


def test_rungs_that_share_nothing_have_no_gate():
    for ladder in LADDERS:
        names = {rung.name for rung in ladder.rungs if gates(ladder, rung, Function("gemm", ()))}
        assert names == ({"lanes-16", "lanes-fused", "lanes-32"} if ladder.name == "rdna" else set())


def test_rungs_of_another_implementation_start_from_its_own_configuration():
    (ladder,) = (found for found in LADDERS if found.name == "rdna")
    rung = ladder.rung("double-buffer")
    assert ladder.implementation(rung) == "opencl-pipelined"
    assert ladder.implementation(ladder.rung("vectors-4")) is None
    assert ladder.changes(rung) == {**BOTH, "BUFFERS": 2}
