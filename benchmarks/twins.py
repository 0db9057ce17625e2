"""Wrong twins of rewritten OpenCL C, one for each path that a rewrite makes: does verification catch them?

    python benchmarks/twins.py [--out twins.jsonl]

The tests plant one twin a rewrite, in one case; here every part of what a rewrite writes (whole blocks, strips at the edge, single results,
tails of sums, guards, first and last values) is spoiled by an exact edit, and judged on the problem and its awkward sizes as `check` does. Edits that change nothing are left out.
The rewritten text itself must pass on all of them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from hotloop.app.bare import kernel as bare
from hotloop.app.bare.order import loops
from hotloop.app.bare.plan import host_name
from hotloop.app.bare.wish import wish
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.ports import Executed
from hotloop.rewrite import catalogue, hostloop
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.oracle import expect

LIMIT_S = 60.0
TWINS: dict[str, tuple[tuple[str, str], ...]] = {
    "outputs-per-item": (
        ("i + 1 < m && j + 3 < n", "i < m && j + 3 < n"),
        ("i + 1 < m && j + 3 < n", "i + 1 < m && j + 2 < n"),
        ("i_part < i + 2", "i_part < i + 1"),
        ("i_part < m && j + 3 < n", "i_part < m && j + 2 < n"),
        ("j_one < j + 4", "j_one < j + 2"),
        ("int j_one = j;", "int j_one = j + 1;"),
        ("i_part < m && j_one < n", "i_part < m && j_one < n - 1"),
        ("get_global_id(0) * 4", "get_global_id(0) * 3"),
        ("get_global_id(1) * 2", "get_global_id(1)"),
        ("0, &y[(i + 1) * n + j]", "0, &y[i * n + j + 1]"),
        ("y[i_part * n + j_one] =", "y[i_part * n + j_one] +="),
    ),
    "reduction-lanes": (
        ("j + 4 <= n", "j + 3 <= n"),
        ("j += 4", "j += 3"),
        ("s_lanes.s1 + s_lanes.s3", "s_lanes.s1 + s_lanes.s2"),
        ("(float4)(0)", "(float4)(0.001f)"),
        ("for (; j < n; j++)", "for (j = 0; j < n; j++)"),
    ),
    "index-to-dimensions": (
        ("int i = id_row;", "int i = id_row + 1;"),
        ("id_column < n &&", "id_column < n - 1 &&"),
        ("int j = id_column;", "int j = id_row;"),
    ),
    "loop-to-dimension": (
        ("j < n", "j < n - 1"),
        ("i < n &&", "i < n - 1 &&"),
        ("get_global_id(1)", "get_global_id(0)"),
    ),
    "register-accumulator": (
        ("float y_sum = y[i];", "float y_sum = 0.0f;"),
        ("y_sum +=", "y_sum ="),
        ("y[i] = y_sum;", ""),
    ),
    "local-staging": (
        ("p < l", "p < l - 16"),
        ("k < 16", "k < 15"),
        ("l * item_1 + k + p", "l * item_1 + p"),
        ("k * n + n * p", "k * n"),
        ("get_global_id(1)", "get_local_id(1)"),
    ),
    "single-constants": (("0.5f", "0.5001f"),),
    "small-powers": (("x[i] * x[i] * x[i]", "x[i] * x[i]"), ("(x[i] - 0.5f) * (x[i] - 0.5f)", "(x[i] - 0.5f)")),
}
"""By rewrite: pieces of the first example's text, and what stands there instead."""


def texts() -> Iterator[tuple[str, Kernel, Config, tuple[tuple[str, str], ...]]]:
    """Yield every rewrite's first example as a kernel with its configuration and its twins."""
    folder = Path(tempfile.mkdtemp(prefix="twins-"))
    for rewrite in catalogue.rewrites():
        example = rewrite.examples[0]
        file = folder / f"{rewrite.name.replace('-', '_')}.cl"
        file.write_text(example.before)
        sizes = example.sizes or ("n=213,m=141" if "int m" in example.before else "n=213")
        kernel = bare.load(file, "", wish((sizes,), "", (example.grid,) if example.grid else ()), LIMIT_S)
        space = kernel.implementations[0].space
        entry = next(one.name for one in space.parameters if one.name.endswith(rewrite.name))
        config = kernel.implementations[0].start.replace(**{entry: example.value})
        yield rewrite.name, kernel, config, (rewrite.twin, *TWINS[rewrite.name])
    for loop in hostloop.hostloops().values():
        example = loop.examples[0]
        file = folder / f"{loop.name.replace('-', '_')}.cl"
        file.write_text(example.before)
        order = f"{example.variable}=1:9({example.before.partition('void ')[2].partition('(')[0]})"
        kernel = bare.load(file, "", wish(("n=213",), order), LIMIT_S)
        parameter = host_name(0, loops(wish((), order).launches)[0])
        config = kernel.implementations[0].start.replace(**{parameter: loop.name})
        yield loop.name, kernel, config, (loop.twin,)


def wrong(kernel: Kernel, problem: Problem, program: Program) -> str:
    """Return why a program's result is wrong, empty where it is right."""
    engine = bare._engine(LIMIT_S)  # noqa: SLF001 - the worker that computes references
    inputs = kernel.inputs(problem, np.random.default_rng(5))
    expected = expect(kernel, problem, inputs)
    dataset = engine.dataset("judged", inputs, tuple(expected.outputs))
    try:
        ran = engine.execute(program, dataset)
    finally:
        engine.discard(dataset)
    if not isinstance(ran, Executed):
        return str(ran)[:200]
    result = judge(kernel, Case(problem, "normal", 5, 0), inputs, ran.arrays, expected=expected)
    return "" if result.passed else result.reason


def main() -> None:
    """Run all and count."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--out", type=Path, default=None)
    given = asked.parse_args()
    rows = []
    for name, kernel, config, twins in texts():
        problems = (kernel.problem, *kernel.awkward(kernel.problem))
        programs = [(problem, kernel.implementations[0].plan(problem, config, None)) for problem in problems]  # type: ignore[arg-type]
        right = [why for problem, program in programs if (why := wrong(kernel, problem, program))]
        rows.append({"rewrite": name, "old": "", "new": "", "caught": bool(right), "why": (right or [""])[0]})
        for old, new in twins:
            assert old in programs[0][1].source, (name, old)
            caught = ""
            for problem, program in programs:
                caught = caught or wrong(kernel, problem, replace(program, source=program.source.replace(old, new)))
            rows.append({"rewrite": name, "old": old, "new": new, "caught": bool(caught), "why": caught[:200]})
            print("caught" if caught else "MISSED", name, "|", old, "→", new, "|", caught[:90], flush=True)
    spoiled = [row for row in rows if row["old"]]
    clean = [row for row in rows if not row["old"]]
    print(
        f"{sum(row['caught'] for row in spoiled)} of {len(spoiled)} twins caught; {sum(not row['caught'] for row in clean)} of {len(clean)} rewritten texts pass"
    )
    if given.out:
        given.out.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
