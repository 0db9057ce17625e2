"""What Triton and ptxas make of the planned products of 8-bit floats: registers, memory, instructions. No GPU."""

import pytest

from hotloop.kernels.gemm_fp8.rule import EXACT, FAST, FEW, MANY

SHARED_BYTES = 227 * 1024
EVERYTHING = {"scales": "both", "epilogue": "bias-gelu-erf"}
FEW_16, FEW_64 = FEW.replace(SPLITS=2), FEW.replace(BM=64)


@pytest.mark.parametrize(
    ("config", "sizes"),
    [(FEW_16, (16, 4096, 4096)), (FEW_64, (64, 8192, 8192)), (MANY.replace(BM=64, num_warps=4), (256, 4096, 4096)), (MANY, (4096, 4096, 4096))],
    ids=["16 rows", "64 rows", "256 rows", "many rows"],
)  # fmt: skip
def test_products_of_eight_bits_fit_and_are_whole(planned_code, config, sizes):
    """As they are told to add exactly: fast sums need a set of registers less."""
    made = planned_code(
        "gemm_fp8", "triton", config, {**dict(zip("mnk", sizes, strict=True)), **EVERYTHING}, listed=True
    )
    rows, columns, depth, warps = config.integers("BM", "BN", "BK", "num_warps")
    assert made["stack_bytes"] == 0
    assert made["registers"] <= min(255, 65536 // (32 * warps))
    assert made["shared_bytes"] <= SHARED_BYTES
    products = max(1, (columns if config.SWAP else rows) // (16 * warps)) * depth // 32
    assert made["wgmma"] == products
    assert made["instructions"]["QGMMA"] == products


@pytest.mark.parametrize(("config", "rows"), [(FEW_16, 16), (FEW_64, 64)])
def test_products_of_eight_bits_add_as_they_are_told(planned_code, config, rows):
    sizes = {"m": rows, "n": 4096, "k": 4096, **EVERYTHING}
    exact, fast = (
        planned_code("gemm_fp8", "triton", config, {**sizes, "fast_accum": way}, listed=True) for way in (False, True)
    )
    assert exact["wgmma"] == fast["wgmma"] == fast["instructions"]["QGMMA"]
    assert fast["stack_bytes"] == 0
    assert fast["shared_bytes"] <= SHARED_BYTES
    sums = config.BM * config.BN // (32 * config.num_warps)  # of a thread; an addition for each sum and block of k
    assert exact["instructions"]["FADD"] - fast["instructions"].get("FADD", 0) >= sums


@pytest.mark.parametrize("config", [EXACT, FAST], ids=["exact", "fast"])
def test_two_warp_groups_of_eight_bits_keep_all_sums_in_registers(planned_code, config):
    fast = config is FAST
    sizes = {"m": 4096, "n": 4096, "k": 4096, **EVERYTHING, "fast_accum": fast}
    made = planned_code("gemm_fp8", "gluon", config, sizes, listed=True)
    rows, columns = config.integers("BM", "BN")
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES
    products = 2 * (rows // 128) * 4 * (1 if fast else 2)  # both groups, rows of 64, blocks of 128 in steps of 32
    assert made["instructions"]["QGMMA"] == products
    sums = rows // 2 * columns // 128
    assert (made["instructions"].get("FADD", 0) >= 2 * sums) is not fast


@pytest.mark.parametrize("implementation", ["triton", "gluon"])
def test_what_optimize_begins_with_compiles(planned_code, implementation):
    made = planned_code("gemm_fp8", implementation, {}, {})
    assert made["stack_bytes"] == 0
    assert made["places"]["griddepcontrol.wait"] == -1


def test_a_chained_kernel_waits_before_it_reads(planned_code):
    """The instruction's place in the text is before all reads: the compilers move none over it."""
    made = planned_code("gemm_fp8", "triton", FEW_16, {"m": 16, "n": 4096, "k": 4096, **EVERYTHING})
    wait, reads = made["places"]["griddepcontrol.wait"], ("cp.async.bulk.tensor", "ld.global", "st.global", "atom.")
    assert wait >= 0
    found = [made["places"][name] for name in reads if made["places"][name] >= 0]
    assert found
    assert wait < min(found)
