"""`hotloop.ops` on a real runtime in this process: every layout, type and edge against NumPy in double precision."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from hotloop import ops
from hotloop.errors import MachineError, NoDeviceError, UsageError
from hotloop.kernels.gemm.opencl.rows import CPU
from hotloop.model.space import Config
from hotloop.ops.session import Recent, session
from hotloop.ports import BuildError
from hotloop.store import Store, Winner

TILE = CPU.replace(MWI=6, NWI=16, VW=8, KUNROLL=4)
EPS = {"float16": 2**-10, "float32": 2**-23, "float64": 2**-52}


@pytest.fixture(scope="module")
def opened():
    try:
        return session()
    except MachineError as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def no_store(tmp_path, monkeypatch, opened):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    ops.refresh()
    yield
    ops.refresh()


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def draw(rng, shape, dtype="float32", order="C"):
    return np.asarray(rng.standard_normal(shape), dtype, order=order)


def agrees(found, a, b, alpha=1.0, extra=0.0):
    """Compare with double precision; each element may err by 4·k·eps of its own sum of magnitudes."""
    wide_a, wide_b = a.astype("f8"), b.astype("f8")
    expected = alpha * (wide_a @ wide_b) + extra
    scale = abs(alpha) * (np.abs(wide_a) @ np.abs(wide_b)) + np.abs(extra)
    eps = EPS[found.dtype.name]
    bound = 4 * (eps + max(1, a.shape[1]) * min(eps, EPS["float32"])) * scale + 1e-300
    assert found.shape == expected.shape
    worst = (np.abs(found.astype("f8") - expected) / bound).max(initial=0.0)
    assert worst <= 1, f"error is {worst} of its bound"


def remember(opened, config: Config, store, fingerprint: str | None = None, **sizes) -> None:
    problem = ops.explain_choice("gemm", **sizes).problem
    with Store.open(store) as made:
        made.add_winner(
            Winner(
                family="gemm",
                problem=problem.key,
                sizes=Config(problem.sizes),
                device=opened.device.key,
                device_fingerprint=fingerprint or opened.device.fingerprint,
                implementation="opencl",
                config=config,
                call_ns=1e6,
            )
        )
    ops.refresh()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("turned", ["nn", "nt", "tn", "tt"])
def test_types_and_transpositions(opened, rng, dtype, turned):
    a, b = draw(rng, (37, 53), dtype), draw(rng, (53, 29), dtype)
    stored_a, stored_b = (x if t == "n" else np.ascontiguousarray(x.T) for x, t in zip((a, b), turned, strict=True))

    def call():
        return ops.gemm(stored_a, stored_b, transpose_a=turned[0] == "t", transpose_b=turned[1] == "t")

    if dtype == "float16" and not opened.device.fp16:
        with pytest.raises(UsageError, match="no float16"):
            call()
        return
    found = call()
    assert found.dtype == dtype
    agrees(found, a, b)


@pytest.mark.parametrize(
    ("m", "n", "k"), [(1, 1, 1), (1, 40, 7), (40, 1, 7), (3, 5, 1), (97, 2, 131), (1, 300, 300), (257, 129, 65)]
)
def test_awkward_sizes(rng, m, n, k):
    a, b = draw(rng, (m, k)), draw(rng, (k, n))
    agrees(ops.gemm(a, b), a, b)


LAYOUTS = {
    "C": lambda x: x,
    "F": np.asfortranarray,
    "gapped rows": lambda x: _inside(x, "C"),
    "gapped columns": lambda x: _inside(x, "F"),
    "stepped": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "reversed": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "unaligned": lambda x: np.frombuffer(b"?" + x.tobytes(), np.uint8)[1:].view(x.dtype).reshape(x.shape),
}


def _inside(x, order):
    whole = np.full((x.shape[0] + 5, x.shape[1] + 7), np.nan, x.dtype, order)
    whole[2:-3, 3:-4] = x
    return whole[2:-3, 3:-4]


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("layout_b", LAYOUTS)
@pytest.mark.parametrize("layout_a", LAYOUTS)
def test_every_layout_gives_the_same_and_leaves_its_inputs_alone(
    opened, rng, monkeypatch, layout_a, layout_b, in_place
):
    monkeypatch.setattr(opened, "in_place", in_place and opened.in_place)
    a, b = draw(rng, (33, 21)), draw(rng, (21, 45))
    given_a, given_b = LAYOUTS[layout_a](a), LAYOUTS[layout_b](b)
    agrees(ops.gemm(given_a, given_b), a, b)
    np.testing.assert_array_equal(given_a, a)
    np.testing.assert_array_equal(given_b, b)


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("layout", ["C", "F", "gapped rows", "gapped columns", "stepped", "reversed", "unaligned"])
def test_out_of_every_layout_is_filled_and_its_surroundings_are_not(opened, rng, monkeypatch, layout, in_place):
    monkeypatch.setattr(opened, "in_place", in_place and opened.in_place)
    a, b = draw(rng, (33, 21)), draw(rng, (21, 45))
    out = LAYOUTS[layout](np.full((33, 45), np.nan, "f4"))
    if layout == "unaligned":
        out = np.frombuffer(bytearray(33 * 45 * 4 + 1), np.uint8)[1:].view("f4").reshape(33, 45)
    whole = out.base if layout.startswith("gapped") else None
    before = None if whole is None else np.isnan(whole).sum()
    assert ops.gemm(a, b, out=out) is out
    agrees(out, a, b)
    if whole is not None:
        assert np.isnan(whole).sum() == before - out.size


def test_operands_are_not_copied_where_they_can_be_bound(opened, rng, monkeypatch):
    if not opened.in_place:
        pytest.skip("this device has its own memory")
    from hotloop.ops import memory

    bound = []
    real = memory.operand
    monkeypatch.setattr(memory, "operand", lambda c, m, *, in_place: bound.append(m) or real(c, m, in_place=in_place))
    a, b = _inside(draw(rng, (33, 21)), "C"), np.asfortranarray(draw(rng, (21, 45)))
    ops.gemm(a, b)
    assert [np.shares_memory(x, y) for x, y in zip(bound, (a, b), strict=True)] == [True, True]


def test_read_only_arrays_are_read(rng):
    a, b = draw(rng, (8, 9)), draw(rng, (9, 10))
    a.flags.writeable = b.flags.writeable = False
    agrees(ops.gemm(a, b), a, b)
    row = np.broadcast_to(b[0], (9, 10))
    agrees(ops.gemm(a, row), a, row)


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("order", ["C", "F"])
def test_alpha_and_beta(opened, rng, monkeypatch, order, in_place):
    monkeypatch.setattr(opened, "in_place", in_place and opened.in_place)
    a, b, c = draw(rng, (19, 23)), draw(rng, (23, 31)), draw(rng, (19, 31), order=order)
    kept = c.copy()
    agrees(ops.gemm(a, b, alpha=-0.5, beta=1.5, c=c), a, b, -0.5, 1.5 * kept.astype("f8"))
    np.testing.assert_array_equal(c, kept)
    out = np.full_like(c, np.nan)
    agrees(ops.gemm(a, b, beta=2.0, c=c, out=out), a, b, 1.0, 2.0 * kept.astype("f8"))
    assert ops.gemm(a, b, beta=1.0, c=c, out=c) is c
    agrees(c, a, b, 1.0, kept.astype("f8"))


def test_what_a_zero_factor_multiplies_is_not_read(rng):
    a, b = draw(rng, (19, 23)), draw(rng, (23, 31))
    nans = np.full((19, 31), np.nan, "f4")
    agrees(ops.gemm(a, b, beta=0.0, c=nans), a, b)
    agrees(ops.gemm(a, b, out=nans.copy()), a, b)
    c = draw(rng, (19, 31))
    np.testing.assert_array_equal(ops.gemm(a * np.nan, b, alpha=0.0, beta=1.0, c=c), c)


def test_nan_and_infinity_spread_as_in_numpy(rng):
    a, b = draw(rng, (9, 9)), draw(rng, (9, 9))
    a[2, 3], b[5, 6] = np.nan, np.inf
    with np.errstate(invalid="ignore"):
        expected = a.astype("f8") @ b.astype("f8")
    found = ops.gemm(a, b)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(expected))


def test_a_product_without_terms_is_beta_c_and_the_epilogue(rng):
    a, b, c = np.ones((4, 0), "f4"), np.ones((0, 6), "f4"), draw(rng, (4, 6))
    np.testing.assert_array_equal(ops.gemm(a, b), np.zeros((4, 6)))
    np.testing.assert_allclose(ops.gemm(a, b, beta=0.5, c=c), 0.5 * c)
    bias = draw(rng, 6)
    np.testing.assert_allclose(ops.gemm(a, b, bias=bias, activation="relu"), np.tile(np.maximum(bias, 0), (4, 1)))


def _erf(x):
    import math

    return np.vectorize(math.erf)(x)


ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / np.sqrt(2))),
    "gelu-tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + np.exp(-x)),
}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_epilogues(rng, name, order):
    a, b, bias = draw(rng, (13, 8)), draw(rng, (8, 21)), draw(rng, 21)
    expected = ACTIVATIONS[name](a.astype("f8") @ b.astype("f8") + bias)
    out = np.empty((13, 21), "f4", order)
    found = ops.gemm(a, b, bias=np.repeat(bias, 2)[::2], activation=name, out=out)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("which", ["a", "b", "both", "shifted"])
def test_out_may_overlap_an_operand(rng, which):
    a, b = draw(rng, (24, 24)), draw(rng, (24, 24))
    expected_a, expected_b = a.copy(), (a if which == "both" else b).copy()
    if which == "shifted":
        memory = np.zeros((30, 24), "f4")
        memory[:24] = a
        agrees(ops.gemm(memory[:24], b, out=memory[3:27]), expected_a, b)
        return
    if which == "both":
        b = a
    agrees(ops.gemm(a, b, out=b if which == "b" else a), expected_a, expected_b)


def test_the_packed_path_and_scratch_that_grows(opened, rng, tmp_path):
    remember(opened, TILE.replace(PACK=2, KC=128, MPI=2, NPI=2), tmp_path / "store.sqlite", m=150, n=130, k=140)
    for m, n, k in ((150, 130, 140), (200, 190, 180), (120, 110, 130)):
        a, b = draw(rng, (m, k)), draw(rng, (k, n))
        assert ops.explain_choice("gemm", m=m, n=n, k=k).config.PACK == 2
        agrees(ops.gemm(a, b), a, b)
    assert opened.scratch.held_bytes >= 4 * 180 * (200 + 190)
    ops.refresh()
    assert opened.scratch.held_bytes == 0


def test_the_store_decides_and_a_refresh_reads_it_again(opened, rng, tmp_path):
    shape = {"m": 130, "n": 140, "k": 150}
    a, b = draw(rng, (130, 150)), draw(rng, (150, 140))
    before = ops.explain_choice("gemm", **shape)
    assert before.origin is not ops.Origin.STORE
    ops.gemm(a, b)
    remember(opened, TILE.replace(MWI=4, KUNROLL=2), tmp_path / "store.sqlite", **shape)
    after = ops.explain_choice("gemm", **shape)
    assert (after.origin, after.config.MWI, after.exact) == (ops.Origin.STORE, 4, True)
    agrees(ops.gemm(a, b), a, b)
    (plan,) = opened._plans._values.values()
    assert plan.choice.config == after.config


def test_a_winner_of_another_driver_is_used_and_called_stale(opened, tmp_path):
    shape = {"m": 130, "n": 140, "k": 150}
    remember(opened, TILE, tmp_path / "store.sqlite", fingerprint="of-an-older-driver", **shape)
    found = ops.explain_choice("gemm", **shape)
    assert found.origin is ops.Origin.STORE
    assert "another driver" in found.stale
    assert "another driver" in str(found)


def test_a_broken_store_is_worked_around_and_mentioned(rng, tmp_path):
    (tmp_path / "store.sqlite").write_bytes(b"broken" * 1000)
    ops.refresh()
    a, b = draw(rng, (20, 30)), draw(rng, (30, 40))
    agrees(ops.gemm(a, b), a, b)
    assert any(note.startswith("store not used") for note in ops.explain_choice("gemm", m=20, n=40, k=30).notes)


def test_an_unknown_shape_is_logged_once(rng, caplog):
    a, b = draw(rng, (61, 62)), draw(rng, (62, 63))
    with caplog.at_level(logging.INFO, "hotloop.ops"):
        for alpha in (1.0, 1.0, 2.0):
            ops.gemm(a, b, alpha=alpha)
        ops.gemm(np.asfortranarray(a), b, transpose_b=False, alpha=3.0, out=np.empty((61, 63), "f4"))
    told = [r.getMessage() for r in caplog.records if "m=61 n=63 k=62" in r.getMessage()]
    assert len(told) == 2, "one for each way in which the operands lie"
    assert "nearest known shape" in told[0]
    assert "hotloop tune gemm --shape m=61,n=63,k=62" in told[0]


def test_a_configuration_that_does_not_compile_is_replaced_with_a_warning(opened, rng, monkeypatch, caplog, tmp_path):
    shape = {"m": 90, "n": 80, "k": 70}
    refused = TILE.replace(MWI=5, KUNROLL=8)
    remember(opened, refused, tmp_path / "store.sqlite", **shape)
    real = opened.build

    def build(program):
        if "-DMWI=5" in program.options:
            raise BuildError("error: out of registers\nmore")
        return real(program)

    monkeypatch.setattr(opened, "build", build)
    a, b = draw(rng, (90, 70)), draw(rng, (70, 80))
    with caplog.at_level(logging.WARNING, "hotloop.ops"):
        agrees(ops.gemm(a, b), a, b)
    assert "does not compile" in caplog.text
    assert "out of registers" in caplog.text
    (plan,) = opened._plans._values.values()
    assert plan.choice.origin is not ops.Origin.STORE
    assert any("does not compile here" in note for note in plan.choice.notes)


def test_nothing_compiles_is_a_machine_error(opened, rng, monkeypatch):
    def build(program):
        raise BuildError("error: no compiler")

    monkeypatch.setattr(opened, "build", build)
    with pytest.raises(MachineError, match=r"no known configuration of .* compiles .*no compiler"):
        ops.gemm(draw(rng, (5, 5)), draw(rng, (5, 5)))


def test_many_threads_share_one_device(opened, rng, tmp_path):
    remember(opened, TILE.replace(PACK=2, KC=128), tmp_path / "store.sqlite", m=64, n=64, k=64)
    work = [(draw(rng, (m, 40)), draw(rng, (40, m + 9))) for m in (17, 64, 70, 111)]
    expected = [ops.gemm(a, b) for a, b in work]
    ops.refresh()
    wrong: list[object] = []

    def hammer(seed):
        order = np.random.default_rng(seed)
        try:
            for index in order.integers(0, len(work), 60):
                if not np.array_equal(ops.gemm(*work[index]), expected[index]):
                    wrong.append(index)
        except Exception as error:  # reported by the test's own thread
            wrong.append(error)

    threads = [threading.Thread(target=hammer, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(opened._plans) == len(work)


def test_results_outlive_everything_they_came_from(rng):
    found = []
    for _ in range(20):
        a, b = draw(rng, (70, 70)), draw(rng, (70, 70))
        found.append((a.astype("f8") @ b, ops.gemm(a, b)))
        del a, b
    gc.collect()
    for expected, result in found:
        np.testing.assert_allclose(result, expected, atol=1e-3)


def test_only_so_many_plans_are_kept(opened, rng, monkeypatch):
    monkeypatch.setattr(opened, "_plans", Recent(3))
    for m in (2, 3, 4, 5, 6, 2):
        a, b = draw(rng, (m, 5)), draw(rng, (5, 6))
        agrees(ops.gemm(a, b), a, b)
    assert len(opened._plans) == 3


def test_an_unknown_device_lists_those_that_exist(rng):
    with pytest.raises(NoDeviceError, match="matches 'no such device'; listed devices: "):
        ops.gemm(draw(rng, (2, 2)), draw(rng, (2, 2)), device="no such device")


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork on this system")
def test_a_forked_child_says_why_it_cannot_compute():
    code = """
        import os, sys
        import numpy as np
        from hotloop import errors, ops
        a = np.ones((4, 4), "f4")
        ops.gemm(a, a)
        child = os.fork()
        if child == 0:
            try:
                ops.gemm(a, a)
            except errors.MachineError as error:
                os.write(1, str(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        print(ops.gemm(a, a)[0, 0])
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert "spawn" in done.stdout
    assert done.stdout.strip().endswith("4.0")
