import numpy as np
import pytest

from hotloop.app.captured.doubled import doubled, doubles
from hotloop.app.captured.truth import Oracle, _scale
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import live

EPS = float(np.finfo(np.float32).eps)


def by_formula(exact, own):
    """Own size, and a quarter of four errors and eight usual ones, in units of the type's rounding; 0 where not finite."""
    finite = np.isfinite(exact) & np.isfinite(own)
    with np.errstate(invalid="ignore"):
        off = np.where(finite, np.abs(own.astype(np.float64) - exact), 0.0)
    step = max(1, exact.size // (1 << 20))
    most = np.quantile(off[::step], 0.999)
    usual = np.sqrt(np.mean(np.minimum(off, most) ** 2))
    return np.where(finite, np.abs(exact), 0.0) + (8.0 * usual + 4.0 * off) / (4.0 * EPS)


@pytest.mark.parametrize("size", [1, 7, 3 * (1 << 17) + 5])
def test_scale_follows_its_formula(size):
    exact = np.random.default_rng(size).standard_normal(size)
    own = (exact * (1 + 1e-6)).astype(np.float32)
    assert np.allclose(_scale(exact, own, double=True), by_formula(exact, own), rtol=1e-12)


@pytest.mark.parametrize(
    ("true", "published"), [(np.nan, 1.0), (1.0, np.inf), (np.inf, np.inf), (-np.inf, 2.0), (np.nan, np.nan)]
)
def test_a_place_where_either_is_no_number_counts_nothing_of_its_own(true, published):
    exact = np.random.default_rng(3).standard_normal(1 << 18)
    own = exact.astype(np.float32)
    exact[5], own[5] = true, published
    found = _scale(exact, own, double=True)
    assert np.isfinite(found).all()
    assert np.allclose(found, by_formula(exact, own), rtol=1e-12)


DROPPED = """import triton
import triton.language as tl


@triton.jit
def kept(x, seed, at):
    return tl.where(tl.rand(seed, at) > 0.1, x, 0.0)


@triton.jit
def scaled(y, x, seed, BLOCK: tl.constexpr, DROPS: tl.constexpr):
    '''Scales, as in scaled(torch.randn(3)).'''
    at = tl.arange(0, BLOCK)
    row = tl.load(x + at)  # not x.view(int)
    if DROPS:
        row = kept(row, seed, at)
    tl.store(y + at, row)


def main():
    return torch.randn(3)
"""


@pytest.mark.parametrize(("drops", "wide"), [(True, False), (False, True)])
def test_a_launch_is_read_with_doubles_where_what_it_runs_of_the_text_can_be(drops, wide):
    assert not doubles(DROPPED)
    assert doubles(live(Script(DROPPED, "scaled"), {"DROPS": drops})) == wide


@pytest.mark.parametrize(
    ("line", "wide"),
    [
        ("acc = tl.dot(a, b, acc)", "acc = tl.dot(a, b, acc, out_dtype=tl.float64)"),
        ("acc = tl.dot(a, b, acc, input_precision='ieee')", "acc = tl.dot(a, b, acc, input_precision='ieee', out_dtype=tl.float64)"),
        ("acc = tl.dot(a, b, acc, out_dtype=tl.float32)", "acc = tl.dot(a, b, acc, out_dtype=tl.float64)"),
        ("acc += tl.dot(a, b)", "acc += tl.dot(a, b)"),
        ("most = tl.maximum(most, tl.max(a))", "most = tl.maximum(most, tl.max(a))"),
    ],
)  # fmt: skip
def test_products_and_numbers_that_loops_change_are_double(line, wide):
    head = "import triton.language as tl\n\n\ndef f(a, b, acc, n):\n    most = {}\n    EPS: tl.constexpr = 1e-6\n    few = 0.5\n"
    loop = "    for _ in range(n):\n        {}\n"
    made = doubled((head + loop).format('-float("inf")', line))
    start = 'tl.full((), -float("inf"), tl.float64)' if "most" in line else '-float("inf")'
    assert made == (head + loop).format(start, wide)


class _Added:
    """A kernel whose first launch happens to add exactly."""

    live, text, start, outputs = ("def f(y):\n    tl.atomic_add(y, 1.0)",), "", {}, frozenset(("y",))

    def program(self, problem, config, device, posed):
        return posed


def test_sums_in_any_order_are_launched_again_and_the_largest_error_counts(monkeypatch):
    rows = iter([0.0, 3e-6, 1e-6])

    def run(self, problem, arrays, posed):
        return {"y": np.ones(4)} if posed.wide else {"y": np.full(4, 1.0 + next(rows), np.float32)}

    monkeypatch.setattr("hotloop.app.captured.truth._beside", lambda limit_s: None)
    monkeypatch.setattr(Oracle, "_run", run)
    problem = type("P", (), {"family": "f"})()
    scale = Oracle(_Added(), 1.0)._found(problem, {}).scale["y"]
    assert np.allclose(scale, _scale(np.ones(4), np.full(4, 1.0 + 3e-6, np.float32), double=True))
    assert next(rows, None) is None
