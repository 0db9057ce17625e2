"""Maps of matrix instructions: bijective, as verified elsewhere, and right when executed."""

import numpy as np
import pytest

from hotloop.errors import UsageError
from hotloop.isa.matrix import catalogue, maps
from hotloop.isa.matrix.execute import execute, gather, scatter
from hotloop.isa.matrix.instruction import Family

ALL = catalogue.instructions()
NAMED = {f"{i.name} {i.targets[0]}": i for i in ALL}
RUNNABLE = [name for name, i in NAMED.items() if i.family not in (Family.SMFMAC, Family.WGMMA)]


def operands(instruction):
    return "AD" if instruction.family is Family.WGMMA else "ABD"


def lanes_and_items(where):
    return np.meshgrid(np.arange(where.row.shape[0]), np.arange(where.items), indexing="ij")


def bijective(where):
    """Tell whether every element of the operand is held by exactly `copies` lanes' items."""
    flat = np.ravel_multi_index((where.block.ravel(), where.row.ravel(), where.column.ravel()), where.shape)
    return (np.bincount(flat, minlength=int(np.prod(where.shape))) == where.copies).all()


def test_every_map_is_a_bijection():
    wrong = [(i.name, o) for i in ALL for o in operands(i) if not bijective(maps.element_map(i, o))]
    assert len(ALL) > 400
    assert wrong == []


def test_a_broken_map_is_noticed():
    where = maps.element_map(catalogue.find("v_mfma_f32_16x16x16_f16"), "D")
    where.row[0, 0] = 1
    assert not bijective(where)


@pytest.mark.parametrize("name", RUNNABLE)
def test_execution_with_the_maps_is_the_product(name):
    instruction = NAMED[name]
    where = {o: maps.element_map(instruction, o) for o in "ABD"}
    rng = np.random.default_rng(7)
    a, b, c = (rng.integers(-99, 99, where[o].shape) for o in "ABD")
    registers = execute(instruction, scatter(where["A"], a), scatter(where["B"], b), scatter(where["D"], c))
    np.testing.assert_array_equal(gather(where["D"], registers), a @ b + c)


@pytest.mark.parametrize("name", ["v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x32_fp8_fp8"])
def test_16x16_accumulators_as_verified(name):
    where = maps.element_map(catalogue.find(name), "D")
    lane, item = lanes_and_items(where)
    np.testing.assert_array_equal(where.row, 4 * (lane // 16) + item)
    np.testing.assert_array_equal(where.column, lane % 16)


@pytest.mark.parametrize("name", ["v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x16_bf16", "v_mfma_f32_32x32x64_f8f6f4"])
def test_32x32_accumulators_as_verified_and_not_as_often_written(name):
    where = maps.element_map(catalogue.find(name), "D")
    lane, item = lanes_and_items(where)
    np.testing.assert_array_equal(where.row, 8 * (item // 4) + 4 * (lane // 32) + item % 4)
    np.testing.assert_array_equal(where.column, lane % 32)
    assert (where.row != 16 * (lane // 32) + item).any()


@pytest.mark.parametrize(
    ("name", "side", "each"),
    [
        ("v_mfma_f32_16x16x16_f16", 16, 4),
        ("v_mfma_f32_16x16x32_f16", 16, 8),
        ("v_mfma_f32_32x32x8_f16", 32, 4),
        ("v_mfma_f32_32x32x16_fp8_fp8", 32, 8),
    ],
)
def test_inputs_hold_consecutive_k(name, side, each):
    instruction = catalogue.find(name)
    a, b = (maps.element_map(instruction, o) for o in "AB")
    lane, item = lanes_and_items(a)
    assert a.items == each
    np.testing.assert_array_equal(a.row, lane % side)
    np.testing.assert_array_equal(a.column, each * (lane // side) + item)
    np.testing.assert_array_equal((b.row, b.column), (a.column, a.row))


def test_4x4_blocks():
    where = {o: maps.element_map(catalogue.find("v_mfma_f32_4x4x4_16b_f16"), o) for o in "ABD"}
    lane, item = lanes_and_items(where["A"])
    np.testing.assert_array_equal((where["A"].block, where["A"].row, where["A"].column), (lane // 4, lane % 4, item))
    np.testing.assert_array_equal((where["B"].block, where["B"].row, where["B"].column), (lane // 4, item, lane % 4))
    np.testing.assert_array_equal((where["D"].block, where["D"].row, where["D"].column), (lane // 4, item, lane % 4))


def test_double_precision_accumulators_are_one_row_tall():
    where = maps.element_map(catalogue.find("v_mfma_f64_16x16x4_f64"), "D")
    lane, item = lanes_and_items(where)
    np.testing.assert_array_equal(where.row, 4 * item + lane // 16)
    assert (where.items, where.registers) == (4, 8)


@pytest.mark.parametrize(
    ("kinds", "registers", "second"),
    [("f8 f8", (8, 8), 64), ("f4 f4", (4, 4), 16), ("f6 f4", (6, 4), 16), ("f8 f4", (8, 4), 64)],
)
def test_scaled_operands(kinds, registers, second):
    """8-bit operands come in chunks of 16 k, narrower ones as 32 consecutive."""
    instruction = catalogue.find(f"v_mfma_scale_f32_16x16x128_f8f6f4 {kinds}")
    a, b = (maps.element_map(instruction, o) for o in "AB")
    assert (a.registers, b.registers) == registers
    assert (a.items, b.items) == (32, 32)
    assert a.column[0, 16] == second
    assert a.column[16, 0] == (16 if second == 64 else 32)


def test_rdna3_replicates_its_inputs_and_interleaves_its_rows():
    instruction = catalogue.find("v_wmma_f32_16x16x16_f16", "gfx1100")
    a, d = (maps.element_map(instruction, o) for o in "AD")
    assert (a.items, a.registers, a.copies) == (16, 8, 2)
    np.testing.assert_array_equal(a.row[:16], a.row[16:])
    assert d.row[0].tolist() == list(range(0, 16, 2))
    assert d.row[16].tolist() == list(range(1, 16, 2))
    assert maps.element_map(catalogue.find("v_wmma_f16_16x16x16_f16", "gfx1100"), "D").registers == 8


def test_rdna4_does_neither():
    instruction = catalogue.find("v_wmma_f32_16x16x16_f16", "gfx1201")
    a, d = (maps.element_map(instruction, o) for o in "AD")
    assert (a.items, a.registers, a.copies) == (8, 4, 1)
    assert a.column[16].tolist() == d.row[16].tolist() == list(range(8, 16))


def test_ptx_fragments_of_m16n8k16():
    """From the PTX ISA's figure: lane 5 is group 1, thread 1."""
    instruction = catalogue.find("m16n8k16.f32.f16.f16.f32")
    a, b, d = (maps.element_map(instruction, o) for o in "ABD")
    assert list(zip(a.row[5].tolist(), a.column[5].tolist(), strict=True)) == [
        (1, 2),
        (1, 3),
        (9, 2),
        (9, 3),
        (1, 10),
        (1, 11),
        (9, 10),
        (9, 11),
    ]
    assert list(zip(b.row[5].tolist(), b.column[5].tolist(), strict=True)) == [(2, 1), (3, 1), (10, 1), (11, 1)]
    assert list(zip(d.row[5].tolist(), d.column[5].tolist(), strict=True)) == [(1, 2), (1, 3), (9, 2), (9, 3)]


def test_wgmma_gives_each_warp_sixteen_rows():
    instruction = catalogue.find("wgmma m64n64k16.f32.bf16".replace("wgmma ", ""))
    d = maps.element_map(instruction, "D")
    assert d.row.shape == (128, 32)
    assert d.row[32:64].min() == 16
    assert d.column[0].tolist()[:6] == [0, 1, 0, 1, 8, 9]
    with pytest.raises(ValueError, match="shared memory"):
        maps.element_map(instruction, "B")


def test_sparse_a_is_half():
    instruction = catalogue.find("v_smfmac_f32_16x16x32_f16")
    a, b = (maps.element_map(instruction, o) for o in "AB")
    assert (a.shape, b.shape) == ((1, 16, 16), (1, 32, 16))
    assert (a.registers, b.registers) == (2, 4)


@pytest.mark.parametrize(
    "name",
    ["v_mfma_f32_32x32x8f16", "V_MFMA_F32_32X32X8_F16", "__builtin_amdgcn_mfma_f32_32x32x8f16", "mfma_f32_32x32x8f16"],
)
def test_spellings_find_one_instruction(name):
    assert catalogue.find(name).name == "v_mfma_f32_32x32x8_f16"


def test_bf16_of_cdna1_and_cdna2_differ():
    assert catalogue.find("v_mfma_f32_32x32x4bf16").targets == ("gfx908", "gfx90a")
    assert catalogue.find("v_mfma_f32_32x32x8bf16_1k").targets == ("gfx90a", "gfx942", "gfx950")


def test_unknown_names_get_similar_ones():
    with pytest.raises(UsageError, match=r"no matrix instruction .* v_mfma_f32_32x32x8_f16"):
        catalogue.find("v_mfma_f64_32x32x8_f64")
    with pytest.raises(UsageError, match="gfx942 has no v_mfma_f32_16x16x32_f16; it is an instruction of gfx950"):
        catalogue.find("v_mfma_f32_16x16x32_f16", "gfx942")


# Peak rates that AMD publishes, in operations per cycle and CU of 4 SIMDs.
@pytest.mark.parametrize(
    ("name", "target", "rate"),
    [
        ("v_mfma_f32_32x32x8_f16", "gfx90a", 1024), ("v_mfma_f32_32x32x8_f16", "gfx942", 2048), ("v_mfma_f32_32x32x16_f16", "gfx950", 4096),
        ("v_mfma_f32_32x32x2_f32", "gfx942", 256), ("v_mfma_f32_16x16x8_xf32", "gfx942", 1024), ("v_mfma_f64_16x16x4_f64", "gfx942", 256),
        ("v_mfma_f64_16x16x4_f64", "gfx950", 128), ("v_mfma_f32_32x32x16_fp8_fp8", "gfx942", 4096), ("v_mfma_i32_32x32x16_i8", "gfx942", 4096),
        ("v_mfma_f32_16x16x128_f8f6f4 f8 f8", "gfx950", 8192), ("v_mfma_f32_32x32x64_f8f6f4 f4 f4", "gfx950", 16384),
    ],
)  # fmt: skip
def test_passes_give_the_published_peaks(name, target, rate):
    instruction = catalogue.find(name)
    cost = instruction.cost(target)
    assert cost.cycles == 4 * cost.passes
    assert 4 * instruction.flops / cost.cycles == rate


@pytest.mark.parametrize(("name", "target", "rate"), [("v_wmma_f32_16x16x16_f16", "gfx1100", 512), ("v_wmma_f32_16x16x16_f16", "gfx1201", 1024),
                                                       ("v_wmma_i32_16x16x16_iu8", "gfx1201", 2048)])  # fmt: skip
def test_wmma_gives_the_published_rates_per_cu(name, target, rate):
    instruction = catalogue.find(name, target)
    assert 2 * instruction.flops / instruction.cost(target).cycles == rate
