"""Programs that are compiled ahead, in processes of their own."""

import os
import time

import numpy as np
import pytest

from hotloop.app.session import Options, open_engine
from hotloop.model.kernel import Empty
from hotloop.model.outcome import Artifact, CompileFailed, LaunchFailed
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import BAND_BYTES, Executed, Run

SOURCE = "__kernel void f(__global const float *x, __global float *y) { const int i = get_global_id(0); y[i] = BODY; }"


def program(body):
    launch = Launch("f", (Array("x"), Array("y")), (64,), (16,))
    return Program("opencl", SOURCE, (f"-DBODY={body}",), (launch,))


@pytest.fixture
def engine():
    with open_engine(Options(limit_s=60.0)) as made:
        made.select()
        yield made


@pytest.fixture
def dataset(engine):
    x = np.arange(64, dtype=np.float32)
    return engine.dataset("d", {"x": x, "y": Empty((64,))}, ("y",))


def test_what_was_compiled_ahead_runs_and_computes(engine, dataset):
    wanted = [program("x[i]+1.0f"), program("x[i]*3.0f")]
    engine.ahead(wanted)
    answers = engine.execute_all([Run(one, dataset) for one in wanted])
    assert all(isinstance(one, Executed) for one in answers)
    x = np.arange(64, dtype=np.float32)
    for answer, right in zip(answers, (x + 1, x * 3), strict=True):
        assert np.array_equal(answer.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32), right)
    built = engine.build(wanted[0])
    assert isinstance(built, Artifact)
    assert list(engine.arena.glob("*.ahead"))  # it was loaded from there, not built again
    assert built.build_key == wanted[0].build_key


def test_a_source_that_does_not_compile_costs_the_measuring_worker_nothing(engine, dataset):
    wrong = program("nonsense(")
    engine.ahead([wrong])
    pid = engine.worker_pid
    (answer,) = engine.execute_all([Run(wrong, dataset)])
    assert isinstance(answer, CompileFailed)
    assert "error" in answer.log
    assert engine.worker_pid == pid


def test_a_source_that_reads_files_is_refused_there_too(engine, dataset):
    reads = Program("opencl", '#include "/etc/passwd"\n' + SOURCE, ("-DBODY=0",), program("0").launches)
    engine.ahead([reads])
    (answer,) = engine.execute_all([Run(reads, dataset)])
    assert isinstance(answer, CompileFailed)


def test_garbage_in_the_place_of_a_binary_is_built_anew(engine, dataset):
    wanted = program("x[i]-7.0f")
    engine.ahead([wanted])
    assert engine._ahead.result(wanted) is not None
    (file,) = engine.arena.glob(f"{wanted.build_key}.ahead")
    file.write_bytes(b"no binary")
    answer = engine.execute(wanted, dataset)
    assert isinstance(answer, Executed)
    assert answer.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32)[9] == 2.0


def test_a_compiler_that_is_killed_is_no_candidates_fault(engine, dataset):
    first, second = program("x[i]+11.0f"), program("x[i]+12.0f")
    engine.ahead([first])
    assert engine._ahead.result(first) is not None
    for hand in engine._ahead._hands:
        os.kill(hand.child.pid, 9)
    engine.ahead([second])
    answer = engine.execute(second, dataset)
    assert isinstance(answer, Executed)


def test_an_engine_that_is_closed_ends_its_compilers_at_once():
    with open_engine(Options(limit_s=60.0)) as made:
        made.select()
        made.ahead([program(f"x[i]+{n}.0f") for n in range(20, 60)])
        began_s = time.monotonic()
    assert time.monotonic() - began_s < 30
    assert not made.arena.exists()


def test_a_group_with_too_much_local_memory_is_refused_before_anything_is_loaded(engine, dataset):
    source = SOURCE.replace(
        "BODY;", "BODY; __local float s[1 << 24]; s[i] = y[i]; barrier(CLK_LOCAL_MEM_FENCE); y[i] = s[63 - i];"
    )
    greedy = Program("opencl", source, ("-DBODY=x[i]",), program("").launches)
    engine.ahead([greedy])
    restarts = engine.restarts
    (answer,) = engine.execute_all([Run(greedy, dataset)])
    assert isinstance(answer, LaunchFailed | CompileFailed)
    assert engine.restarts == restarts
