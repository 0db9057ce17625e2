"""PTX text: functions, labels in scopes, classes, widths, resources, groups of asynchronous copies."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.ptx import DIALECT, classify
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.instruction import MemorySpace as S
from hotloop.isa.loops import loops
from hotloop.isa.nvidia.groups import group_waits

MODULE = """
// made by hand
.version 8.3
.target sm_90a
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 common[64];
.visible .entry copy(
	.param .u64 .ptr .global copy_param_0,
	.param .u32 copy_param_1
)
.reqntid 128, 2
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.local .align 8 .b8 __local_depot0[24];
	.shared .align 4 .f32 tile[16][17];
	.loc 1 12 3
	ld.param.u64 	%rd1, [copy_param_0];
$L__BB0_1:
	ld.global.v4.b32 	{%r1, %r2, %r3, %r4}, [%rd1+16];   // a vector
	{
	.reg .pred done;
	wait: mbarrier.try_wait.parity.shared.b64 done, [%r5], 0;
	@!done bra wait;
	}
	st.shared.v2.f32 [%r5],
		{%f1, %f2};
	setp.lt.s32 	%p1, %r1, 9;
	@%p1 bra 	$L__BB0_1;
	call.uni (retval0), vprintf, (param0, param1);
	ret;
}
.func (.param .b32 func_retval0) helper(.param .b32 helper_param_0)
{
	ret;
}
"""


def test_functions_and_numbers():
    kernel, helper = DIALECT.parse(MODULE)
    assert (kernel.name, kernel.target, helper.name, kernel.addressed) == ("copy", "sm_90a", "helper", False)
    assert [i.address for i in kernel.instructions] == [4 * number for number in range(9)]
    assert [i.mnemonic.partition(".")[0] for i in kernel.instructions] == [
        "ld",
        "ld",
        "mbarrier",
        "bra",
        "st",
        "setp",
        "bra",
        "call",
        "ret",
    ]
    assert helper.resources is None


def test_labels_are_found_in_their_scope():
    kernel = DIALECT.parse(MODULE)[0]
    assert [i.target for i in kernel.instructions] == [None, None, None, 8, None, None, 4, None, None]
    assert [(lp.depth, len(lp.blocks)) for lp in loops(blocks(kernel))] == [(1, 3), (2, 1)]


def test_lines_count_in_the_whole_text():
    kernel = DIALECT.parse(MODULE)[0]
    lines = MODULE.split("\n")
    assert lines[kernel.instructions[1].line - 1].lstrip().startswith("ld.global.v4")
    assert lines[kernel.instructions[4].line - 1].lstrip().startswith("st.shared")
    assert kernel.instructions[4].operands == "[%r5], {%f1, %f2}"


def test_resources_of_the_directives():
    found = DIALECT.parse(MODULE)[0].resources
    assert (found.name, found.target, found.workgroup_max, found.wave_size) == ("copy", "sm_90a", 256, 32)
    assert (found.lds_bytes, found.dynamic_lds, found.scratch_bytes) == (64 + 16 * 17 * 4, True, 24)
    assert found.vgprs is None


CLASSES = [
    ("fma.rn.f32", K.FMA, 32), ("fma.rn.f16x2", K.FMA, 32), ("fma.rn.f64", K.FMA, 64), ("mad.lo.s32", K.INTEGER, 32), ("mad.rn.f32", K.FMA, 32),
    ("mul.wide.s32", K.INTEGER, 64), ("add.rn.f32", K.MULADD, 32), ("add.s64", K.INTEGER, 64), ("sub.bf16x2", K.MULADD, 32), ("div.full.f32", K.ARITHMETIC, 32),
    ("div.u32", K.INTEGER, 32), ("max.f32", K.ARITHMETIC, 32), ("max.s32", K.INTEGER, 32), ("setp.gt.f32", K.ARITHMETIC, 32), ("setp.eq.s32", K.INTEGER, 32),
    ("ex2.approx.ftz.f32", K.ARITHMETIC, 32), ("cvt.rn.bf16x2.f32", K.CONVERSION, 32), ("cvta.to.global.u64", K.ADDRESS, 64), ("mov.b64", K.MOVE, 64),
    ("shfl.sync.bfly.b32", K.SHUFFLE, 32), ("bar.sync", K.BARRIER, 0), ("bar.warp.sync", K.WAIT, 0), ("barrier.cluster.arrive", K.BARRIER, 0),
    ("mbarrier.arrive.expect_tx.shared.b64", K.BARRIER, 0), ("cp.async.commit_group", K.SCALAR, 0), ("cp.async.wait_group", K.WAIT, 0),
    ("cp.async.bulk.wait_group.read", K.WAIT, 0), ("wgmma.fence.sync.aligned", K.WAIT, 0), ("wgmma.wait_group.sync.aligned", K.WAIT, 0),
    ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", K.MATRIX, 2048), ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", K.MATRIX, 128),
    ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", K.MATRIX, 64), ("tcgen05.mma.cta_group::1.kind::f16", K.MATRIX, 2048),
    ("tcgen05.wait::ld.sync.aligned", K.WAIT, 0), ("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32", K.SCALAR, 0), ("fence.proxy.async", K.WAIT, 0),
    ("griddepcontrol.wait", K.WAIT, 0), ("setmaxnreg.inc.sync.aligned.u32", K.SCALAR, 0), ("trap", K.RETURN, 0), ("frobnicate.b32", K.OTHER, 32),
]  # fmt: skip


@pytest.mark.parametrize(("mnemonic", "kind", "bits"), CLASSES)
def test_classes(mnemonic, kind, bits):
    traits = classify(mnemonic, "%a, %b")
    assert (traits.kind, traits.bits) == (kind, bits)


MEMORY = [
    ("ld.global.v4.b32", "", K.LOAD, S.GLOBAL, 128), ("ld.global.L1::evict_last.v2.b64", "", K.LOAD, S.GLOBAL, 128), ("ld.shared.u8", "", K.LOAD, S.LOCAL, 8),
    ("ld.shared::cluster.b32", "", K.LOAD, S.LOCAL, 32), ("ld.local.f32", "", K.STACK, S.SCRATCH, 32), ("ld.param.u64", "", K.SCALAR_LOAD, S.CONSTANT, 64),
    ("ld.const.f32", "", K.SCALAR_LOAD, S.CONSTANT, 32), ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "", K.LOAD, S.LOCAL, 128), ("ld.f32", "", K.LOAD, S.GLOBAL, 32),
    ("st.global.b16", "", K.STORE, S.GLOBAL, 16), ("st.local.v2.f32", "", K.STACK, S.SCRATCH, 64), ("atom.global.add.f32", "", K.ATOMIC, S.GLOBAL, 32),
    ("red.shared.add.u64", "", K.ATOMIC, S.LOCAL, 64), ("cp.async.cg.shared.global", "[%r1], [%rd2], 16, %r3", K.COPY, S.GLOBAL, 128),
    ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", "[%r1], [%rd2, {%r3, %r4}], [%r5]", K.COPY, S.GLOBAL, 0),
    ("tcgen05.ld.sync.aligned.32x32b.x4.b32", "", K.LOAD, None, 128), ("wmma.load.a.sync.aligned.row.m16n16k16.f16", "{%a, %b, %c, %d}, [%rd1], %r1", K.LOAD, S.GLOBAL, 128),
]  # fmt: skip


@pytest.mark.parametrize(("mnemonic", "operands", "kind", "space", "bits"), MEMORY)
def test_memory(mnemonic, operands, kind, space, bits):
    traits = classify(mnemonic, operands)
    assert (traits.kind, traits.space, traits.memory_bits, traits.stack) == (kind, space, bits, kind is K.STACK)


@pytest.mark.parametrize(
    ("mnemonic", "guard", "falls"),
    [("bra", "", False), ("bra.uni", "", False), ("bra", "%p1", True), ("ret", "", False), ("ret", "%p1", True)],
)
def test_where_control_may_go_on(mnemonic, guard, falls):
    assert classify(mnemonic, "$L", guard).falls_through is falls


STAGES = """
.visible .entry k()
{{
$L:
	cp.async.cg.shared.global [%r1], [%rd1], 16;
	cp.async.commit_group;
	cp.async.wait_group {left};
	bar.sync 0;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1}}, {{%r2}}, {{%r3}}, {{%f1}};
	@%p1 bra $L;
	ret;
}}
"""


@pytest.mark.parametrize(("left", "iterations", "instructions", "matrix"), [(0, 0, 0, 0), (1, 1, 6, 1), (2, 2, 12, 2)])
def test_how_far_copies_run_ahead(left, iterations, instructions, matrix):
    (wait,) = group_waits(DIALECT.parse(STAGES.format(left=left))[0])
    assert (wait.family, wait.left, wait.iterations, wait.instructions, wait.matrix_instructions) == (
        "cp.async",
        left,
        iterations,
        instructions,
        matrix,
    )
    assert wait.commit.mnemonic == "cp.async.commit_group"


def test_wait_all_drains():
    (wait,) = group_waits(DIALECT.parse(STAGES.format(left=1).replace("wait_group 1", "wait_all"))[0])
    assert (wait.left, wait.iterations) == (0, 0)


@pytest.mark.parametrize(
    "text", ["", "garbage", ".version 8.0\n.target sm_80\n", ".entry k(", "/*0000*/ MOV R1, R2 ;", "\x00\xff"]
)
def test_what_has_no_body_has_no_functions(text):
    assert DIALECT.parse(text) == ()


def test_a_module_in_bytes_is_read_by_the_name_of_the_function():
    module = b".version 8.7\n.target sm_90\n.entry k()\n{\n\tret;\n}\n.func other()\n{\n\tret;\n}\n"
    assert DIALECT.decode(module, 0, "k").name == "k"
    with pytest.raises(ValueError, match="no function 'missing' with a body"):
        DIALECT.decode(module, 0, "missing")


def test_a_truncated_module_keeps_what_is_complete():
    (kernel,) = DIALECT.parse(MODULE[: MODULE.index("setp")])
    assert len(kernel.instructions) == 5


@settings(max_examples=120, deadline=None)
@given(
    st.integers(0, len(MODULE)), st.integers(0, len(MODULE)), st.text(alphabet="{}()[];:.,@%$ \nabrt01/*", max_size=12)
)
def test_a_damaged_module_never_breaks_the_reader(start, end, junk):
    for function in DIALECT.parse(MODULE[:start] + junk + MODULE[end:]):
        numbers = range(0, 4 * len(function.instructions), 4)
        assert [i.address for i in function.instructions] == list(numbers)
        assert all(i.target is None or i.target in numbers for i in function.instructions)
