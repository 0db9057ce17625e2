import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.run import ceilings
from hotloop.app.run.ceilings import COPY_ELEMENTS, _copied, _numbers, dtype_of
from hotloop.backends.null import DEVICE
from hotloop.model.codec import encode
from hotloop.model.device import Ceilings
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.ports import BAND_BYTES, Executed


@pytest.mark.parametrize(
    ("sizes", "backend", "dtype"),
    [
        ({"n": 1}, "opencl", "float32"),
        ({"dtype": "float64"}, "opencl", "float64"),
        ({"dtype": "int8"}, "cuda", "float32"),
        ({"dtype": "float16"}, "opencl", "float32"),
        ({"dtype": "float16"}, "cuda", "float16"),
        ({"dtype": "bfloat16"}, "triton", "bfloat16"),
    ],
)
def test_which_rate_limits_a_problem(sizes, backend, dtype):
    assert dtype_of(Problem("p", Record(sizes)), replace(DEVICE, backend=backend)) == dtype


@pytest.mark.parametrize(
    ("arrays", "backend", "dtype"),
    [
        (["float16", "float32", "int32"], "triton", "float16"),
        (["float16"], "opencl", "float32"),
        (["float64", "int64"], "opencl", "float64"),
        (["float64", "float32"], "cuda", "float32"),
        (["int32"], "cuda", "float32"),
        ([], "cuda", "float32"),
    ],
)
def test_the_arrays_decide_where_a_problem_names_no_type(arrays, backend, dtype):
    device = replace(DEVICE, backend=backend)
    assert dtype_of(Problem("p", Record({"n": 1})), device, arrays) == dtype
    assert dtype_of(Problem("p", Record({"dtype": "float64"})), device, arrays) == "float64"


def test_bfloat16_is_the_upper_half_of_a_float():
    raw = np.array([1.5, -24.0], np.float32).view(np.uint16)[1::2].copy().view(np.uint8)
    assert _numbers(raw, "bfloat16").tolist() == [1.5, -24.0]


@pytest.mark.parametrize(
    ("kind", "llc_bytes", "elements"),
    [("cpu", 1 << 30, COPY_ELEMENTS), ("gpu", 1 << 20, COPY_ELEMENTS), ("gpu", 60 << 20, 60 << 20), ("gpu", None, 1 << 26),
     ("gpu", 50_000_001, 50_000_896), ("gpu", 1 << 30, 1 << 26)],
)  # fmt: skip
def test_what_is_copied_is_beyond_the_last_level_cache(kind, llc_bytes, elements):
    assert _copied(replace(DEVICE, kind=kind, llc_bytes=llc_bytes)) == elements


@pytest.mark.parametrize(
    ("moved", "each_way", "turns"), [(67e6, 33_501_184, 3), (1e6, 8 * 2**20, 12), (1e12, 4 * (60 << 20), 1)]
)
def test_as_much_is_copied_as_a_call_moves_from_places_that_take_turns(monkeypatch, moved, each_way, turns):
    class Engine:
        def dataset(self, name, inputs, _outputs):
            self.x = inputs["x"]
            return name

        def execute(self, _program, _dataset):
            band = np.zeros(BAND_BYTES, np.uint8)
            return Executed({"y": np.concatenate([band, self.x.view(np.uint8), band])}, 1.0)

        def discard(self, _dataset):
            pass

    timed = []
    monkeypatch.setattr(ceilings, "_best_ns", lambda _desk, _program, _limit, *datasets: timed.append(datasets) or 1e9)
    device = replace(DEVICE, kind="gpu", backend="triton", target="sm_90", llc_bytes=60 << 20)
    desk = SimpleNamespace(device=device, engine=Engine())
    assert ceilings.copy_bandwidth(desk, moved_bytes=moved) == 2 * each_way
    assert timed == [tuple(f"copy{turn}" for turn in range(turns))]


def test_products_of_single_precision_are_limited_by_the_matrix_unit():
    from hotloop.kernels.ceiling import triton

    plain, matrix = (triton.fma_rate(replace(DEVICE, target="sm_90"), dtype, 8) for dtype in ("float32", "tfloat32"))
    assert [made.program.launches[0].entry for made in (plain, matrix)] == ["fma_rate", "matrix_rate"]
    assert {"TYPE:=tl.float32", "array:out=float32"} <= set(matrix.program.options)
    assert _numbers(np.array([1.5], np.float32).view(np.uint8), "tfloat32").tolist() == [1.5]


@pytest.mark.parametrize(("products", "refused"), [("", True), ("bfloat16", False)])
def test_products_as_a_text_computes_them_refuse_nothing(products, refused):
    from hotloop.app.run import floor
    from hotloop.model.device import Ceilings
    from hotloop.model.problem import Work

    work = Work(flops=1e9, bytes=1.0, products=products)
    fast = SimpleNamespace(call_ns=1e3)
    assert (floor.impossible_speed(fast, work, Ceilings(flops_per_s=1e12, bytes_per_s=1e12)) is not None) == refused


class _Clock:
    now_s = 0.0

    def monotonic_s(self):
        return self.now_s


def _measured(monkeypatch, limit_s, part_s):
    """Measure with parts that take so long each; return the answer, what was measured, how long it took, and what was said."""
    clock, made, said = _Clock(), [], []

    def part(name, value):
        def measure(_desk, *_args, **_more):
            clock.now_s += part_s
            made.append(name)
            return value

        return measure

    parts = {"fma_rate": 2e12, "_copy_bandwidth": 1e11, "_update_bandwidth": 3e11, "launch_cost": 900.0}
    for name, value in parts.items():
        monkeypatch.setattr(ceilings, name, part(name, value))
    desk = SimpleNamespace(clock=clock, device=DEVICE, tell=lambda event: said.append(str(event)))
    found = ceilings._measure(desk, "float32", limit_s, (8, 16), (1, 4), 0.0)
    return found, made, clock.now_s, said


def test_ceilings_in_time_are_whole(monkeypatch):
    found, made, _, _ = _measured(monkeypatch, 30.0, 1.0)
    assert (found.flops_per_s, found.bytes_per_s, found.launch_ns) == (2e12, 3e11, 900.0)
    assert [width for width, _ in found.flops_by_width] == [1, 4, 8, 16]
    assert made.count("fma_rate") == 4


@pytest.mark.parametrize("part_s", [0.1, 0.7, 1.0, 1.4, 2.9])
@pytest.mark.parametrize("limit_s", [3.0, 9.0])
def test_ceilings_end_in_time_however_long_their_parts_take(monkeypatch, limit_s, part_s):
    found, made, took_s, said = _measured(monkeypatch, limit_s, part_s)
    assert took_s <= limit_s + 1e-9
    whole = made[:3] == ["fma_rate", "fma_rate", "_copy_bandwidth"]
    assert (found is not None) == whole  # by fewer of them correct kernels would look impossible
    assert any("no time for this machine's ceilings" in one for one in said) != whole


def test_the_roof_is_measured_again_in_a_limit_and_never_lowered(monkeypatch):
    first, _, _, _ = _measured(monkeypatch, 30.0, 1.0)
    clock = _Clock()

    def slowly(value):
        def measure(*_args, **_more):
            clock.now_s += 2.0
            return value

        return measure

    monkeypatch.setattr(ceilings, "fma_rate", slowly(4e12))
    monkeypatch.setattr(ceilings, "copy_bandwidth", slowly(1.0))
    desk = SimpleNamespace(clock=clock, device=DEVICE)
    again = ceilings.peak(desk, first, 3.0)
    assert (again.flops_per_s, again.bytes_per_s, clock.now_s) == (4e12, 3e11, 2.0)


def _desk_with(earlier):
    from hotloop.app.desk import Desk, MemoryJournal

    said = []
    device = replace(DEVICE, backend="opencl")
    desk = Desk(None, device, MemoryJournal(), _Clock(), listener=SimpleNamespace(notify=said.append), earlier=earlier)
    desk.clock.utc = lambda: ""
    return desk, said


def test_what_a_run_measured_a_short_while_ago_is_not_measured_again_and_named_as_such(monkeypatch):
    whole, _, _, _ = _measured(monkeypatch, 30.0, 1.0)
    asked = []

    def earlier(name):
        asked.append(name)
        return json.dumps({"elapsed_s": 4.0, "data": encode(whole, Ceilings | None)})

    desk, said = _desk_with(earlier)
    found = ceilings.measure(desk, limit_s=0.1)
    assert found == replace(whole, source=whole.source + " by an earlier run")
    assert asked == [
        name.removeprefix("earlier ") for name in desk.journal.entries
    ]  # nothing that the next run takes for measured
    assert any("within the last hour" in str(one) for one in said)


@pytest.mark.parametrize(
    "recorded", [None, '{"elapsed_s": 1.0, "data": null}', "nonsense", '{"data": {"flops_per_s": "many"}}']
)
def test_what_was_not_measured_or_is_not_understood_is_measured(monkeypatch, recorded):
    _measured(monkeypatch, 30.0, 1.0)
    desk, _ = _desk_with(lambda _: recorded)
    assert ceilings.measure(desk, limit_s=30.0).flops_per_s == 2e12
