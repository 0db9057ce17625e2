"""Sparse matrix instructions: what a dense product of the widened A gives."""

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.errors import UnmodelledError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
GROUPS = 4
"""Lanes that hold one row of A: 64 over 16 rows."""


def drawn(seed, stored):
    """Return integer A [lanes, stored], B [lanes, 2 stored], C [lanes, 4] and the place of each stored number within its four."""
    rng = np.random.default_rng(seed)
    a, b, c = (rng.integers(-3, 4, (64, n)) for n in (stored, 2 * stored, 4))
    return a, b, c, np.array(PAIRS)[rng.integers(6, size=(64, stored // 2))].reshape(64, stored)


def wanted(a, b, c, within):
    """Return D [lanes, 4] by the definition, lane by lane: whoever holds a row's numbers meets B of the same group of lanes."""
    place = 4 * (np.arange(a.shape[1]) // 2) + within
    out = np.zeros((16, 16))
    for lane in range(64):
        beside = b[lane // 16 * 16 + np.arange(16)]
        out[lane % 16] += a[lane] @ beside[:, place[lane]].T
    rows = 4 * (np.arange(64) // 16)[:, None] + np.arange(4)
    return out[rows, (np.arange(64) % 16)[:, None]] + c


def body(name, words, more):
    a, b = f"v[4:{3 + words}]", f"v[16:{15 + 2 * words}]"
    loads = [f"global_load_dword v{first + n}, v1, s[4:5] offset:{4 * at}"
             for first, count, start in ((4, words, 0), (16, 2 * words, words), (32, 1, 3 * words), (36, 4, 3 * words + 1))
             for n, at in enumerate(range(start, start + count))]  # fmt: skip
    stores = [f"global_store_dword v3, v{36 + n}, s[6:7] offset:{4 * n}" for n in range(4)]
    head = [
        f"v_mul_u32_u24_e32 v1, {4 * (3 * words + 5):#x}, v0",
        "v_lshlrev_b32_e32 v3, 4, v0",
        *loads,
        "s_waitcnt vmcnt(0)",
    ]
    return "\n".join([*head, f"{name} v[36:39], {a}, {b}, v32 {more}", "s_nop 7", *stores])


CASES = [
    ("v_smfmac_f32_16x16x32_f16", "gfx942", np.float16, 4, 0), ("v_smfmac_f32_16x16x32_f16", "gfx950", np.float16, 4, 3),
    ("v_smfmac_i32_16x16x64_i8", "gfx942", np.int8, 8, 1), ("v_smfmac_f32_16x16x64_f16", "gfx950", np.float16, 8, 1),
    ("v_smfmac_i32_16x16x128_i8", "gfx950", np.int8, 16, 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "target", "kind", "stored", "part"), CASES)
@pytest.mark.parametrize("native", [False, True])
def test_it_is_a_dense_product_of_the_widened_a(listing, name, target, kind, stored, part, native):
    a, b, c, within = drawn(stored + part, stored)
    index = (within.astype(np.uint64) << (2 * np.arange(stored, dtype=np.uint64))).sum(axis=1) << np.uint64(
        2 * stored * part
    )
    result = np.int32 if "_i32_" in name else np.float32
    words = [np.ascontiguousarray(side.astype(kind)).view(np.uint32) for side in (a, b)]
    given = np.concatenate([*words, index.astype(np.uint32)[:, None], c.astype(result).view(np.uint32)], axis=1)
    out = np.zeros(256, np.uint32)
    launch = Launch(arguments=[given.reshape(-1), out], grid=(1, 1, 1), workgroup=(64, 1, 1), names=["x", "y"])
    text = listing(body(name, words[0].shape[1], f"abid:{part}" if part else ""), target=target)
    done = run(load(text), launch, backend=executor.native() if native else None)
    assert done.findings == ()
    assert np.array_equal(done.arrays[1].view(result).reshape(64, 4), wanted(a, b, c, within))


def test_cbsz_is_refused(listing):
    with pytest.raises(UnmodelledError, match="sparse with cbsz"):
        load(listing(body("v_smfmac_f32_16x16x32_f16", 2, "cbsz:1")))
