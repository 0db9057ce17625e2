"""Ways to look fast or right without being it: each is refused, and the reason says why.

What the design cannot refuse is listed in docs/security.md, not here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from hotloop.app import session, userfile
from hotloop.app.desk import Desk
from hotloop.app.events import Silent
from hotloop.app.run import checking, timing
from hotloop.app.run.attempt import Attempt, Attempts
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.verify import checker as verify_checker
from hotloop.errors import KernelFileError, MachineError
from hotloop.model.check import CheckReport
from hotloop.model.device import Ceilings
from hotloop.model.kernel import Empty, Implementation, Kernel, Tolerance, Variant
from hotloop.model.outcome import Crashed, Impossible, Measured, WrongResult, describe
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.model.subject import Subject
from hotloop.stats.paired import PairedTest
from hotloop.verify.cases import Case
from hotloop.verify.oracle import expect

N = 4096
AWKWARD = (1, 61, 1000)
HEAVY = 2000
"""Iterations per element of the honest kernel: some milliseconds a call, so that skipping it would pay."""


def honest(x: str = "x[i]", iterations: int = HEAVY) -> str:
    """A logistic-like iteration that contracts, so float32 stays close to float64 however long it runs."""
    return (
        f"float v = {x}; for (int step = 0; step < {iterations}; ++step) v = 0.5f * v + 0.25f * v * v / (1.0f + v * v);"
    )


def reference(p, arrays):
    v = np.asarray(arrays["x"], np.float64)
    for _ in range(HEAVY):
        new = 0.5 * v + 0.25 * v * v / (1.0 + v * v)
        if np.array_equal(new, v):
            break
        v = new
    return {"y": 1.0 + v + np.asarray(arrays["x"], np.float64)}


STATE = "__global float kept[65536]; __global int filled[65536];\n"


def program(body: str, *, state: str = "", n: int = N) -> Program:
    source = (
        f"{state}__kernel void k(__global float *x, __global float *y, const int n) {{\n"
        f"    const int i = get_global_id(0);\n    if (i >= n) return;\n    {body}\n}}"
    )
    options = ("-cl-std=CL2.0",) if state else ()
    arguments = (Array("x"), Array("y"), Value(n, "int32"))
    return Program("opencl", source, options, (Launch("k", arguments, (-(-n // 16) * 16,), (16,)),))


def kernel(
    plan, *, inputs=None, awkward=AWKWARD, truth=reference, tolerance=None, work=None, language="opencl"
) -> Kernel:
    implementation = Implementation("cheat", language, Space(()), Config(), plan)
    problem = Problem("heavy", Record(n=N))
    return Kernel(
        family="heavy",
        problem=problem,
        inputs=inputs or (lambda p, rng: {"x": rng.random(p.n, np.float32), "y": Empty((p.integer("n"),))}),
        reference=truth,
        work=work or (lambda p: Work(0.0, 8.0 * p.integer("n"))),
        implementations=(implementation,),
        tolerance=tolerance or Tolerance(terms=lambda _p: 16.0),
        awkward=lambda p: tuple(p.replace(n=n) for n in awkward),
        origin="cheat.py",
    )


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options(limit_s=20)) as opened:
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.fixture(scope="module")
def null() -> Iterator[Desk]:
    with session.desk(session.Options(language="null", limit_s=5)) as opened:
        yield opened


counter = iter(range(10_000))


def answer(desk: Desk, cheat: Kernel):
    """What the loop says: quick check, timing with the check of timed calls, full check."""
    stand = verify_checker.Stand(desk, f"cheat{next(counter)}", cheat)
    return verify_checker.checked(stand, cheat.problem, Variant(cheat.implementations[0], Config()))


def refused(desk: Desk, body: str, reason: str, stage: str = "", **options):
    state = options.pop("state", "")
    found = answer(desk, kernel(lambda p, c, d: program(body, state=state, n=p.integer("n")), **options))
    assert not isinstance(found.answer, CheckReport), "the cheat passed"
    assert re.search(reason, describe(found.answer)), describe(found.answer)
    assert not stage or found.stage == stage
    return found


HONEST = honest() + " y[i] = 1.0f + v + x[i];"


def needs_program_variables(desk: Desk) -> None:
    if desk.device.runtime_key != "intel":
        pytest.skip("this runtime has no variables that outlive a call (OpenCL C 2.0)")


def test_the_honest_kernel_passes(desk):
    found = answer(desk, kernel(lambda p, c, d: program(HONEST, n=p.integer("n"))))
    assert isinstance(found.answer, CheckReport), describe(found.answer)


# --- earlier results ------------------------------------------------------------------------------------------------


def test_leaving_whatever_an_earlier_call_wrote(desk):
    refused(desk, "", "never written", "quick")


def test_leaving_what_an_earlier_call_wrote_once_timing_has_begun(desk):
    needs_program_variables(desk)
    refused(
        desk,
        f"if (filled[i] > 8) return; {HONEST} filled[i] += 1;",
        "timed run: .*(never written|got .*, expected)",  # what is left is poison, or the answer to other inputs
        "timed",
        state=STATE,
    )


def test_returning_a_kept_result(desk):
    needs_program_variables(desk)
    body = f"if (filled[i] > 8 && n == {N}) {{ y[i] = kept[i]; return; }} {HONEST} kept[i] = y[i]; filled[i] += 1;"
    refused(desk, body, "new inputs in the same buffers|timed run", "timed", state=STATE)


def test_returning_a_kept_result_while_the_input_looks_the_same(desk):
    """The result is right for every input, and the time of a call on new input betrays it."""
    needs_program_variables(desk)
    state = "__global float2 met[1 << 24];\n"
    slot = "const uint at = (as_uint(x[i]) * 2654435761u ^ i * 40503u) >> 8;"
    body = f"{slot} if (met[at].x == x[i]) {{ y[i] = met[at].y; return; }} {HONEST} met[at] = (float2)(x[i], y[i]);"
    honest_n = 1 << 15
    cheat = kernel(lambda p, c, d: program(body, state=state, n=p.integer("n")))
    cheat = replace(cheat, problem=cheat.problem.replace(n=honest_n))
    found = answer(desk, cheat)
    assert isinstance(found.answer, WrongResult), describe(found.answer)
    assert "results are kept, not computed" in describe(found.answer)


def test_computing_only_where_the_output_is_poison(desk):
    body = f"if (!isnan(y[i]) && fabs(y[i]) < 1e30f) return; {HONEST}"
    refused(desk, body, "timed run: ", "timed")


def test_computing_only_where_the_output_is_not_plausible_yet(desk):
    body = f"if (y[i] >= 1.0f && y[i] < 4.0f) return; {HONEST}"
    refused(desk, body, "timed run: ", "timed")


def test_recognising_one_poison_pattern(desk):
    refused(desk, f"if (isnan(y[i])) {{ {HONEST} }}", "never written|got", "quick")


def test_keeping_results_behind_the_end_of_an_array(desk):
    body = f"{HONEST} if (i == 0) y[n + 4] = y[0];"
    refused(desk, body, r"canary after y overwritten at \+16 B", "quick")


def test_keeping_results_in_an_input(desk):
    refused(desk, f"{HONEST} x[i] = y[i];", "input x changed", "quick")


def test_keeping_results_in_an_input_only_at_the_asked_size(desk):
    refused(desk, f"{HONEST} if (n == {N}) x[i] = y[i];", "input x changed", "quick")


# --- knowing the test -----------------------------------------------------------------------------------------------


def test_hard_coding_the_answer_of_a_seed(desk):
    cheat = kernel(lambda p, c, d: program("", n=p.integer("n")))
    first = cheat.inputs(cheat.problem, np.random.default_rng(desk.seed))
    values = ", ".join(f"{v:.9g}f" for v in reference(cheat.problem, first)["y"][:N])
    state = f"__constant float known[{N}] = {{ {values} }};\n"
    found = answer(
        desk,
        kernel(
            lambda p, c, d: replace(
                program("y[i] = known[i];", n=p.integer("n")), source=state + program("y[i] = known[i];").source
            )
        ),
    )
    assert isinstance(found.answer, WrongResult)
    assert found.inputs == 2, "the answer of the first input is right, that of the second is not"


def test_being_right_for_small_problems_only(desk):
    refused(desk, f"if (n > 1000 && i == n / 2) {{ y[i] = 0; return; }} {HONEST}", r"n=4096.*got 0", "quick")


def test_being_right_for_the_asked_problem_only(desk):
    refused(desk, f"if (n != {N}) {{ y[i] = 1.0f; return; }} {HONEST}", "got 1", "quick")


def test_fewer_iterations_than_asked(desk):
    body = honest(iterations=6) + " y[i] = 1.0f + v + x[i];"
    refused(desk, body, "of its bound", "quick")


def test_a_launch_plan_that_changes_after_verification(desk):
    """A kernel file is code: its functions may count how often they were asked."""
    asked = []

    def plan(p, c, d):
        asked.append(p)
        whole = program(HONEST, n=p.integer("n"))
        if len(asked) <= 4 or p.integer("n") != N:
            return whole
        half = replace(whole.launches[0], global_size=(N // 2,))
        return replace(whole, launches=(half,))

    found = answer(desk, kernel(plan))
    assert isinstance(found.answer, WrongResult)
    assert re.search("timed run.*never written", describe(found.answer))


def test_nan_and_infinity_for_everything(desk):
    for value in ("NAN", "INFINITY", "-INFINITY"):
        refused(desk, f"y[i] = {value};", "expected", "quick")


def test_a_result_that_depends_on_who_comes_first(desk):
    state = "__global int turn;\n"
    needs_program_variables(desk)
    body = f"{HONEST} if (atomic_inc((volatile __global int *)&turn) / n % 2) y[i] = -y[i];"
    refused(desk, body, "second run|race|got", "", state=state)


# --- the clock ------------------------------------------------------------------------------------------------------


def null_kernel(call_ns: float, flops: float) -> Kernel:
    recipe = {"compute": "copy", "call_ns": call_ns, "noise": 0.001, "fault": ""}

    def plan(p, c, d):
        return Program(
            "null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (p.integer("n"),)),)
        )

    copy = kernel(
        plan, truth=lambda p, i: {"y": i["x"].astype("f8")}, work=lambda p: Work(flops, 8.0 * N), language="null"
    )
    return replace(copy, tolerance=Tolerance())


def attempted(desk: Desk, cheat: Kernel) -> Attempt:
    shelf = verify_checker._Shelf(desk.engine, f"clock{next(counter)}.")
    workload = Workload(shelf, cheat, cheat.problem, desk.device, desk.seed)
    ceilings = Ceilings(flops_per_s=1e11, bytes_per_s=1e10, launch_ns=1e3, dtype="float32")
    made = Attempts(desk, workload, ceilings, PairedTest())
    return made._baseline(Variant(cheat.implementations[0], Config()))


def test_faster_than_the_machine_can_be(null, monkeypatch):
    monkeypatch.setattr("hotloop.app.run.attempt.limits.peak", lambda desk, ceilings: ceilings)
    outcome = attempted(null, null_kernel(call_ns=1e5, flops=1e8)).outcome
    assert isinstance(outcome, Impossible)
    assert describe(outcome) == re.sub(
        r"impossible: \d+ ns", f"impossible: {outcome.call_ns:.0f} ns", describe(outcome)
    )
    assert outcome.floor_ns == pytest.approx(1e6)
    assert isinstance(attempted(null, null_kernel(call_ns=2e6, flops=1e8)).outcome, Measured)


def test_a_worker_that_reports_times_that_cannot_be(null):
    """Garbled, missing, zero and infinite times: tests/loop/test_engine.py; here that such an answer is no sample."""
    from hotloop.engine.answers import timed
    from hotloop.engine.wire import told
    from hotloop.model.outcome import Sample
    from hotloop.ports import Round, Timed, TimeRequest

    dataset = null.engine.dataset("times", {"x": np.zeros(4, np.float32)}, ())
    request = TimeRequest(programs=(program(HONEST),), datasets=(dataset,), rounds=1)
    for wall_ns in (0.0, -5.0, float("inf")):
        sample = Sample(wall_ns=wall_ns, calls=1)
        with pytest.raises(ValueError, match="times that cannot be"):
            timed(request, {"timed": told(Timed((Round(((0, sample), (0, sample))),), (1,)))})


def test_work_that_is_still_under_way_when_the_call_returns(desk):
    """The clock stops after the queue is empty: twice the work takes longer although enqueueing takes the same."""
    cheat = kernel(lambda p, c, d: program(HONEST, n=p.integer("n")))
    stand = verify_checker.Stand(desk, f"late{next(counter)}", cheat)
    workload = stand.workload(cheat.problem)
    once = program(HONEST)
    twice = replace(once, launches=once.launches * 6)
    timed = timing.time_together(desk, workload, (once, twice), 12)  # the best of so many was left alone
    assert isinstance(timed, timing.Timing)
    assert timed.measured[1].best_ns > 2.5 * timed.measured[0].best_ns


# --- kernel files that change what judges them ----------------------------------------------------------------------

FILE = '''
import numpy as np
import hotloop as hl
{top}

@hl.kernel(problem=dict(n=64), work=lambda p: hl.Work(flops=0, bytes=8 * p.n), awkward=lambda p: [dict(n=3)]{options})
class k:
    def inputs(p, rng):
        {inputs}
        return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n))

    def reference(p, x, y):
        {reference}
        return dict(y=x.astype("f8"))

    opencl = hl.OpenCL("""\\n__kernel void k(__global const float *x, __global float *y) {{
    y[get_global_id(0)] = {value};\\n}}""", entry="k", global_size=lambda p, c: (p.n,))
'''


def check_file(tmp_path, desk, top="", inputs="pass", reference="pass", options="", value="0"):
    path = tmp_path / "cheat.py"
    path.write_text(FILE.format(top=top, inputs=inputs, reference=reference, options=options, value=value))
    loaded = userfile.load(path)
    shelf = verify_checker._Shelf(desk.engine, f"file{next(counter)}.")
    workload = Workload(shelf, loaded, loaded.problem, desk.device, desk.seed)
    return checking.check(desk, workload, Subject.of(userfile.starting(loaded), loaded.problem, desk.device)).answer


def test_the_file_as_it_is_works(tmp_path, desk):
    assert isinstance(check_file(tmp_path, desk, value="x[get_global_id(0)]"), CheckReport)
    assert isinstance(check_file(tmp_path, desk), WrongResult)


@pytest.mark.parametrize(
    ("top", "name"),
    [
        ("np.subtract = lambda a, b, dtype=None: np.zeros(np.shape(a))", "numpy.subtract"),
        ("np.array_equal = lambda a, b: True", "numpy.array_equal"),
        ("np.allclose = lambda *a, **k: True", "numpy.allclose"),
        ("import time; time.perf_counter_ns = lambda: 0", "time.perf_counter_ns"),
        ("import time; time.monotonic = lambda: 0.0", "time.monotonic"),
        (
            "import hotloop.verify.judge as j; j.compare = lambda *a, **k: j.Difference()",
            "hotloop.verify.judge.compare",
        ),
        ("import hotloop.app.run.checking as c; c.judge = lambda *a, **k: None", "hotloop.app.run.checking.judge"),
        ("import hotloop.verify.tolerance as t; t.Bound.at = lambda self, r, m=None: r * 0 + 1e30", "Bound.at"),
        ("import hotloop.app.run.timing as t; t.misjudged = lambda *a: None", "hotloop.app.run.timing.misjudged"),
    ],
)
def test_replacing_what_judges(tmp_path, desk, monkeypatch, top, name):
    with monkeypatch.context() as undo:
        import time

        import hotloop.verify.judge
        import hotloop.verify.tolerance

        for place, attribute in (
            (np, "subtract"), (np, "array_equal"), (np, "allclose"), (time, "perf_counter_ns"), (time, "monotonic"),
            (hotloop.verify.judge, "compare"), (checking, "judge"), (timing, "misjudged"),
            (hotloop.verify.tolerance.Bound, "at"),
        ):  # fmt: skip
            undo.setattr(place, attribute, getattr(place, attribute))
        with pytest.raises((KernelFileError, AttributeError, TypeError)) as refusal:
            check_file(tmp_path, desk, top=top)
        if "perf" in name or "monotonic" in name or not isinstance(refusal.value, AttributeError | TypeError):
            assert name in str(refusal.value)
            assert "must not change what judges it" in str(refusal.value)


def test_replacing_the_comparison_while_inputs_are_drawn(tmp_path, desk, monkeypatch):
    monkeypatch.setattr(np, "isfinite", np.isfinite)
    with pytest.raises(KernelFileError, match=r"numpy\.isfinite"):
        check_file(
            tmp_path, desk, inputs="np.isfinite = lambda a: np.zeros(np.shape(a), bool)", value="x[get_global_id(0)]"
        )


def test_a_reference_that_changes_its_inputs(tmp_path, desk):
    with pytest.raises(KernelFileError, match="reference of k .*read-only"):
        check_file(tmp_path, desk, reference="x[...] = 0")
    with pytest.raises(KernelFileError, match="changes its input x"):
        check_file(tmp_path, desk, reference="x.base[...] = 0")


def test_a_reference_that_is_nan_everywhere(tmp_path, desk):
    with pytest.raises(KernelFileError, match="although all inputs are finite"):
        check_file(tmp_path, desk, reference="return dict(y=np.full(p.n, np.nan))", value="NAN")


def test_a_reference_of_another_shape_or_without_outputs(tmp_path, desk):
    with pytest.raises(KernelFileError, match="of shape"):
        check_file(tmp_path, desk, reference="return dict(y=np.zeros(1))")
    with pytest.raises(KernelFileError, match="returns no output"):
        check_file(tmp_path, desk, reference="return dict()")


@pytest.mark.parametrize(
    "tolerance", ["factor=float('inf')", "absolute=float('inf')", "absolute=float('nan')", "terms=lambda p: -1"]
)
def test_a_tolerance_that_accepts_anything(tmp_path, desk, tolerance):
    with pytest.raises(KernelFileError, match="must be finite and not negative"):
        check_file(tmp_path, desk, options=f", tolerance=hl.Tolerance({tolerance})")


def test_arrays_that_were_changed_on_their_way_to_the_worker(desk):
    """The parent judges from its own copy of the inputs, not from the files that worker and parent share."""
    honest_kernel = kernel(lambda p, c, d: program(HONEST, n=p.integer("n")))
    workload = Workload(
        verify_checker._Shelf(desk.engine, f"arena{next(counter)}."),
        honest_kernel,
        honest_kernel.problem,
        desk.device,
        1,
    )
    prepared = workload.prepare(Case(honest_kernel.problem, "normal", 1, 0))
    slot = next(slot for slot in prepared.dataset.slots if slot.name == "x")
    file = desk.engine._arena.path / slot.file
    easy = np.fromfile(file, np.uint8)
    easy[4096 : 4096 + 16] = 0
    easy.tofile(file)
    ran = desk.engine.execute(program(HONEST), prepared.dataset)
    found = checking.judge(honest_kernel, prepared.case, prepared.inputs, ran.arrays, expected=prepared.expected)
    assert "input x changed at [0]" in found.reason


def test_a_kernel_that_kills_the_worker_is_no_result(desk):
    found = refused(desk, "*(__global float *)(ulong)(i / n) = 1.0f;", "crashed", "quick")
    assert isinstance(found.answer, Crashed)


def test_the_truth_is_asked_once_and_of_pristine_inputs(desk):
    """An output of the candidate can never reach the reference: it has run before the candidate does."""
    order = []

    def truth(p, arrays):
        order.append("reference")
        return reference(p, arrays)

    watched = kernel(lambda p, c, d: (order.append("plan"), program(HONEST, n=p.integer("n")))[1], truth=truth)
    answer(desk, watched)
    assert order[0] == "reference"
    again = expect(watched, watched.problem, watched.inputs(watched.problem, np.random.default_rng(1)))
    assert set(again.outputs) == {"y"}


def test_silence_is_not_agreement(null):
    """A configuration for which no case applies is not verified."""

    def plan(p, c, d):
        raise ValueError("not today")

    found = answer(null, replace(kernel(plan, language="null"), awkward=lambda p: ()))
    assert describe(found.answer) == "not applicable: not today"
    assert Silent is not None
