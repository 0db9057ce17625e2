"""CUDA C++ and HIP C++ read, rewritten and written back in their own words."""

from __future__ import annotations

import pytest

from hotloop.rewrite.form import Example
from hotloop.rewrite.gpu import catalogue, words
from hotloop.rewrite.shape import RefusedError

OWN = [one for one in catalogue.rewrites() if "__global__" in one.examples[0].before]
EXAMPLES = [(r, e) for r in OWN for e in r.examples]


def posed(example: Example) -> words.Posed:
    group = tuple(map(int, example.grid.split(","))) if example.grid else ()
    return words.pose(example.before, words.kernels(example.before)[0].name, group)


@pytest.mark.parametrize(("rewrite", "example"), EXAMPLES, ids=[f"{r.name}{i}" for i, (r, _) in enumerate(EXAMPLES)])
def test_example(rewrite, example):
    if not example.after:
        with pytest.raises(RefusedError):
            words.replaced(example.before, rewrite.apply(posed(example), example.value))
        return
    before = posed(example)
    assert words.replaced(example.before, rewrite.apply(before, example.value)) == example.after
    assert all(1 <= line <= example.before.count("\n") for line in rewrite.lines(before))
    assert rewrite.twin[0] in example.after
    assert "When it applies:" in rewrite.text
