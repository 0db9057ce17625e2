"""One matrix multiplication at three stages of software pipelining, in Gluon for CDNA3 (gfx942) and CDNA4 (gfx950).

Every stage is one template; only `start`, `land`, `wait` and `read`, the load mechanism, differ. CDNA3 loads a tile into
registers (`start`) and stores it to LDS (`land`, which waits for the load). CDNA4 copies straight into LDS: `start` commits
one group of copies, `wait(n)` leaves the n newest groups in flight, `land` has nothing to do.

The stages follow a reported Gluon guide as corrected: offsets advance before the load that uses them, nothing is defined
under one condition and used under another, the tail is peeled, and the loop leaves one group in flight (``wait(1)``).

EVEN: m, n and k are multiples of the tile (two or more tiles along k for stage 2) and nothing is masked. Otherwise any m is
right, and any n and k that are multiples of 16 elements (a lane's 16-byte load has one mask); k may be less than a tile.
A masked buffer load gets an offset out of bounds, for which the hardware delivers zero, in LDS too (triton-lang/triton, pull
request 11435). An explicit ``other=0.0`` would make Triton 3.9 branch around every copy and wait for it in the same
iteration: 480 exposed cycles instead of none in stage 1 on gfx950.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
# ruff: noqa: ANN001, ANN003, ANN201, ANN202, N803
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from hotloop.offline_api import offline
from hotloop.targets.target import Target

copies = gl.amd.cdna4.async_copy


@gluon.jit
def places(row, col, sa, sb, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr):
    """Return the offsets of the first tiles of A [M, K] and B [K, N] in elements."""
    ra = row + gl.arange(0, M, layout=gl.SliceLayout(1, LA))
    ka = gl.arange(0, K, layout=gl.SliceLayout(0, LA))
    kb = gl.arange(0, K, layout=gl.SliceLayout(1, LB))
    cb = col + gl.arange(0, N, layout=gl.SliceLayout(0, LB))
    return ra[:, None] * sa + ka[None, :], kb[:, None] * sb + cb[None, :]


@gluon.jit
def start(
    slot_a, slot_b, a, b, oa, ob, row, col, m, n, left,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    EVEN: gl.constexpr, ASYNC: gl.constexpr,
):  # fmt: skip
    """Start the loads of one tile of which `left` columns of A exist; return what lands in registers (CDNA3)."""
    if EVEN:
        if ASYNC:
            copies.buffer_load_to_shared(slot_a, a, oa)
            copies.buffer_load_to_shared(slot_b, b, ob)
            copies.commit_group()
            x, y = oa, ob
        else:
            x = gl.amd.cdna3.buffer_load(a, oa)
            y = gl.amd.cdna3.buffer_load(b, ob)
    else:
        ra = row + gl.arange(0, M, layout=gl.SliceLayout(1, LA))
        ka = gl.arange(0, K, layout=gl.SliceLayout(0, LA))
        kb = gl.arange(0, K, layout=gl.SliceLayout(1, LB))
        cb = col + gl.arange(0, N, layout=gl.SliceLayout(0, LB))
        fit_a = (ra < m)[:, None] & (ka < left)[None, :]
        fit_b = (kb < left)[:, None] & (cb < n)[None, :]
        if ASYNC:
            copies.buffer_load_to_shared(slot_a, a, oa, mask=fit_a)
            copies.buffer_load_to_shared(slot_b, b, ob, mask=fit_b)
            copies.commit_group()
            x, y = oa, ob
        else:
            x = gl.amd.cdna3.buffer_load(a, oa, mask=fit_a)
            y = gl.amd.cdna3.buffer_load(b, ob, mask=fit_b)
    return x, y


@gluon.jit
def land(slot_a, slot_b, x, y, ASYNC: gl.constexpr):
    """Store what `start` returned to LDS; copies are there already."""
    if not ASYNC:
        slot_a.store(x)
        slot_b.store(y)


@gluon.jit
def wait(left: gl.constexpr, ASYNC: gl.constexpr):
    """Wait until at most `left` groups of copies are in flight; `land` has waited for everything else."""
    if ASYNC:
        copies.wait_group(left)


@gluon.jit
def read(slot_a, slot_b, DA: gl.constexpr, DB: gl.constexpr, ASYNC: gl.constexpr):
    """Read both operands of a step from LDS."""
    if ASYNC:
        p = copies.load_shared_relaxed(slot_a, DA)
        q = copies.load_shared_relaxed(slot_b, DB)
    else:
        p = slot_a.load(DA)
        q = slot_b.load(DB)
    return p, q


@gluon.jit
def finish(c, acc, row, col, m, n, sc, M: gl.constexpr, N: gl.constexpr, MMA: gl.constexpr, EVEN: gl.constexpr):
    """Store the sums."""
    r = row + gl.arange(0, M, layout=gl.SliceLayout(1, MMA))
    q = col + gl.arange(0, N, layout=gl.SliceLayout(0, MMA))
    if EVEN:
        gl.amd.cdna3.buffer_store(acc, c, r[:, None] * sc + q[None, :])
    else:
        gl.amd.cdna3.buffer_store(acc, c, r[:, None] * sc + q[None, :], mask=(r < m)[:, None] & (q < n)[None, :])


@gluon.jit
def base(
    a, b, c, m, n, k, sa, sb, sc,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    SA: gl.constexpr, SB: gl.constexpr, MMA: gl.constexpr, DA: gl.constexpr, DB: gl.constexpr,
    EVEN: gl.constexpr, ASYNC: gl.constexpr, CLASS: gl.constexpr,
):  # fmt: skip
    """Load a tile, wait for it, multiply: both latencies are exposed."""
    row, col = gl.program_id(0) * M, gl.program_id(1) * N
    oa, ob = places(row, col, sa, sb, M, N, K, LA, LB)
    ta = gl.allocate_shared_memory(gl.float16, [M, K], SA)
    tb = gl.allocate_shared_memory(gl.float16, [K, N], SB)
    acc = gl.zeros([M, N], gl.float32, MMA)
    for step in range(0, k, K):
        x, y = start(ta, tb, a, b, oa, ob, row, col, m, n, k - step, M, N, K, LA, LB, EVEN, ASYNC)
        land(ta, tb, x, y, ASYNC)
        wait(0, ASYNC)
        p, q = read(ta, tb, DA, DB, ASYNC)
        acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
        oa += K
        ob += K * sb
    finish(c, acc, row, col, m, n, sc, M, N, MMA, EVEN)


@gluon.jit
def stage1(
    a, b, c, m, n, k, sa, sb, sc,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    SA: gl.constexpr, SB: gl.constexpr, MMA: gl.constexpr, DA: gl.constexpr, DB: gl.constexpr,
    EVEN: gl.constexpr, ASYNC: gl.constexpr, CLASS: gl.constexpr,
):  # fmt: skip
    """Double-buffer LDS: the next tile is on its way while this one is multiplied."""
    row, col = gl.program_id(0) * M, gl.program_id(1) * N
    oa, ob = places(row, col, sa, sb, M, N, K, LA, LB)
    ta = gl.allocate_shared_memory(gl.float16, [2, M, K], SA)
    tb = gl.allocate_shared_memory(gl.float16, [2, K, N], SB)
    acc = gl.zeros([M, N], gl.float32, MMA)
    x, y = start(ta.index(0), tb.index(0), a, b, oa, ob, row, col, m, n, k, M, N, K, LA, LB, EVEN, ASYNC)
    land(ta.index(0), tb.index(0), x, y, ASYNC)
    now = 0
    for step in range(K, k, K):
        oa += K
        ob += K * sb
        to_a, to_b = ta.index(1 - now), tb.index(1 - now)
        x, y = start(to_a, to_b, a, b, oa, ob, row, col, m, n, k - step, M, N, K, LA, LB, EVEN, ASYNC)
        wait(1, ASYNC)
        p, q = read(ta.index(now), tb.index(now), DA, DB, ASYNC)
        acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
        now = 1 - now
        land(ta.index(now), tb.index(now), x, y, ASYNC)
    wait(0, ASYNC)
    p, q = read(ta.index(now), tb.index(now), DA, DB, ASYNC)
    acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
    finish(c, acc, row, col, m, n, sc, M, N, MMA, EVEN)


@gluon.jit
def stage2(
    a, b, c, m, n, k, sa, sb, sc,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LA: gl.constexpr, LB: gl.constexpr,
    SA: gl.constexpr, SB: gl.constexpr, MMA: gl.constexpr, DA: gl.constexpr, DB: gl.constexpr,
    EVEN: gl.constexpr, ASYNC: gl.constexpr, CLASS: gl.constexpr, LEFT: gl.constexpr,
    ORDER: gl.constexpr,
):  # fmt: skip
    """Also read the operands of the next step ahead: load k+2, LDS read k+1 and multiply k overlap.

    LEFT is the number of groups that the loop leaves in flight: 1; 0 drains the copies that it has just started. ORDER keeps
    all reads before the multiplications: it hides them wholly, at the price of registers (136 instead of 120 on gfx950).
    """
    row, col = gl.program_id(0) * M, gl.program_id(1) * N
    oa, ob = places(row, col, sa, sb, M, N, K, LA, LB)
    ta = gl.allocate_shared_memory(gl.float16, [2, M, K], SA)
    tb = gl.allocate_shared_memory(gl.float16, [2, K, N], SB)
    acc = gl.zeros([M, N], gl.float32, MMA)
    x, y = start(ta.index(0), tb.index(0), a, b, oa, ob, row, col, m, n, k, M, N, K, LA, LB, EVEN, ASYNC)
    land(ta.index(0), tb.index(0), x, y, ASYNC)
    oa += K
    ob += K * sb
    x, y = start(ta.index(1), tb.index(1), a, b, oa, ob, row, col, m, n, k - K, M, N, K, LA, LB, EVEN, ASYNC)
    wait(1, ASYNC)
    now = 0
    p, q = read(ta.index(0), tb.index(0), DA, DB, ASYNC)
    for step in range(2 * K, k, K):
        now = 1 - now
        land(ta.index(now), tb.index(now), x, y, ASYNC)
        oa += K
        ob += K * sb
        to_a, to_b = ta.index(1 - now), tb.index(1 - now)
        x, y = start(to_a, to_b, a, b, oa, ob, row, col, m, n, k - step, M, N, K, LA, LB, EVEN, ASYNC)
        wait(LEFT, ASYNC)
        np, nq = read(ta.index(now), tb.index(now), DA, DB, ASYNC)
        if ORDER:
            gl.amd.hint.sched_barrier()
        acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
        p = np
        q = nq
    now = 1 - now
    land(ta.index(now), tb.index(now), x, y, ASYNC)
    acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
    wait(0, ASYNC)
    p, q = read(ta.index(now), tb.index(now), DA, DB, ASYNC)
    acc = gl.amd.cdna3.mfma(p, q, acc, CLASS)
    finish(c, acc, row, col, m, n, sc, M, N, MMA, EVEN)


SIGNATURE = {"a": "*fp16", "b": "*fp16", "c": "*fp32", **dict.fromkeys(("m", "n", "k", "sa", "sb", "sc"), "i32")}
DIVISIBLE = ("a", "b", "c", "n", "k", "sa", "sb", "sc")
"""Multiples of 16; m may be anything."""
_STRAIGHT = "copy of 16 bytes a lane from global to local memory"
_MATRIX = {"gfx942": (3, 16), "gfx950": (4, 32)}
"""Version of the MFMA layout and K of the 16x16 instruction."""


def constants(target, *, straight, even=True, accumulators=None, deep=False, **extra):
    """Return the compile-time values of a kernel for a target; `straight` copies go straight into LDS (CDNA4 only)."""
    swizzled = ((8, 1, 8), (8, 1, 8)) if deep else ((8, 2, 4), (8, 1, 8))
    version, depth = _MATRIX[target]
    mma = gl.amd.AMDMFMALayout(version=version, instr_shape=[16, 16, depth], transposed=True, warps_per_cta=[2, 2])
    swizzle_a, swizzle_b = ((1, 1, 1), (1, 1, 1)) if straight else swizzled
    return {
        "M": 128,
        "N": 128,
        "K": 64 if deep else 32,
        "LA": gl.BlockedLayout([1, 8], [8, 8] if deep else [16, 4], [4, 1], [1, 0]),
        "LB": gl.BlockedLayout([1, 8], [4, 16], [4, 1], [1, 0]),
        "SA": gl.SwizzledSharedLayout(*swizzle_a, [1, 0]),
        "SB": gl.SwizzledSharedLayout(*swizzle_b, [1, 0]),
        "MMA": mma,
        "DA": gl.DotOperandLayout(0, mma, depth // 4),
        "DB": gl.DotOperandLayout(1, mma, depth // 4),
        "EVEN": even,
        "ASYNC": straight,
        "CLASS": accumulators,
        **extra,
    }


DECLARED: dict[str, dict[str, object]] = {}
"""Compile-time values by the name of what is declared: whoever launches it evaluates them here."""


def _declare(name, kernel, target, **values):
    made = DECLARED[f"{name}_{target}"] = constants(target, straight=Target.of(target).has(_STRAIGHT), **values)
    offline(kernel, name=f"{name}_{target}", signature=SIGNATURE, constexprs=made, divisible=DIVISIBLE)


for _target in _MATRIX:
    for _even in (True, False):
        _suffix = "" if _even else "_ragged"
        _declare(f"base{_suffix}", base, _target, even=_even)
        _declare(f"stage1{_suffix}", stage1, _target, even=_even)
        _declare(f"stage2{_suffix}", stage2, _target, even=_even, LEFT=1, ORDER=False)
    _declare("stage1_agpr", stage1, _target, accumulators="a")
    _declare("stage2_ordered", stage2, _target, LEFT=1, ORDER=True)
    _declare("stage2_deep", stage2, _target, deep=True, LEFT=1, ORDER=False)
_declare("stage2_drained", stage2, "gfx950", LEFT=0, ORDER=False)
