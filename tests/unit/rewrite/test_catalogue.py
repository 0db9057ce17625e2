"""What became of a kernel under a rewrite is remembered by the kernel's identity."""

from dataclasses import replace

import pytest

from hotloop.app.bare import interleaved
from hotloop.rewrite import catalogue, parse
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.tidy import tidy

TEXT = """__kernel void blur(__global const uchar *a, __global uchar *b, int n) {
    int x = get_global_id(0);
    if (x < n) {
        int s = 0;
        for (int k = -3; k < 4; k++) s += a[clamp(x + k, 0, n - 1) * 3];
        b[x] = s / 7;
    }
}
"""


def posed(text=TEXT):
    function = tidy(parse.functions(text)[0], (), text)
    return Posed(function, (parse.expression("n"),), {})


def test_a_rewrite_of_the_same_kernel_is_made_once(monkeypatch):
    made = []
    (rewrite,) = (one for one in catalogue.rewrites() if one.name == "outputs-per-item")
    counted = replace(rewrite, apply=lambda *asked: made.append(1) or rewrite.apply(*asked))
    monkeypatch.setattr(catalogue, "rewrites", lambda: (counted,))
    kernel = posed()
    first = catalogue.rewritten(kernel, {"outputs-per-item": "2x1x1"})
    assert catalogue.rewritten(kernel, {"outputs-per-item": "2x1x1"}) is first
    assert len(made) == 1
    assert catalogue.rewritten(posed(), {"outputs-per-item": "2x1x1"}) is not first
    assert len(made) == 2


def test_a_refusal_is_remembered_with_its_reason():
    kernel = posed()
    reasons = []
    for _ in range(2):
        with pytest.raises(RefusedError) as refused:
            catalogue.rewritten(kernel, {"group-sums": 1})
        reasons.append(str(refused.value))
    assert reasons[0] == reasons[1]
    assert "group-sums does not apply to blur" in reasons[0]


def test_many_kernels_are_not_taken_for_each_other():
    for number in range(100):  # more than are remembered: places in memory are used again
        made = catalogue.rewritten(posed(TEXT.replace("/ 7", f"/ {number + 2}")), {"outputs-per-item": "2x1x1"})
        assert f"Number(text='{number + 2}')" in repr(made.function.body)


def test_where_the_shortest_block_has_no_whole_vectors_of_channels_longer_ones_are_not_made(monkeypatch):
    asked = []
    monkeypatch.setattr(interleaved, "rewritten", lambda kernel, wanted: asked.append(wanted) or catalogue.rewritten(kernel, wanted))  # fmt: skip
    text = TEXT.replace("n - 1) * 3]", "n - 1)] * 3")
    assert interleaved.interleaved(posed(text), {}) == {}
    assert {one["outputs-per-item"] for one in asked} == {"1x1x16"}
