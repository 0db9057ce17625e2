"""A kernel file's own functions end the command, by exit or by crash: one sentence and exit code 2, never success or silence."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from lab import NULL_KERNEL, Lab, demand, ended, sound, until

END = """
import ctypes, os

def end(where, value):
    if where == os.environ.get("END_AT"):
        os._exit(0) if os.environ["END_BY"] == "exit" else ctypes.string_at(0)
    return value

end("loading", 0)
import hotloop as hl

@hl.kernel(problem=dict(n=64), work=lambda p: end("work", hl.Work(flops=p.n, bytes=8 * p.n)),
           awkward=lambda p: end("awkward", [dict(n=1)]), tolerance=hl.Tolerance(terms=lambda p: end("terms", 1)))
class ending:
    def inputs(p, rng): return end("inputs", dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n)))
    def reference(p, x, y): return end("reference", dict(y=x.astype("f8")))
    def magnitude(p, x, y): return end("magnitude", dict(y=abs(x)))
    opencl = hl.OpenCL("kernel void f(global const float *x, global float *y) { y[get_global_id(0)] = x[get_global_id(0)]; }",
        entry="f", params=dict(W=[1, 2, 4]), constraints=[lambda c: c.W == 1 or end("a constraint", True)],
        traits=lambda p, c, d: end("traits", {}), global_size=lambda p, c: end("planning", (p.n,)))
"""
HOOKS = ("loading", "inputs", "reference", "magnitude", "awkward", "terms", "planning", "a constraint")


def hotloop(*arguments, **environment):
    return [sys.executable, "-m", "hotloop", *map(str, arguments)], {**os.environ, **environment}


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "ending.py"
    path.write_text(END)
    return path


@pytest.mark.parametrize(("where", "way"), [(hook, "exit") for hook in HOOKS] + [("inputs", "crash")])
def test_a_function_that_ends_the_process_is_told(kernel, where, way):
    target = f"{kernel}@W=2" if where == "a constraint" else kernel
    command, environment = hotloop("check", target, END_AT=where, END_BY=way)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 2, done.stderr
    words = "ended hotloop with exit code 0" if way == "exit" else "crashed hotloop (SIGSEGV"
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith(f"hotloop: {where}")
    assert "ending.py" in line
    assert words in line
    assert done.stdout == ""


def optimizing(folder, **more):
    store = ("--store", folder / "store.sqlite", "--quiet", "--json", "--no-peers", "--budget", 120)
    command, environment = hotloop("optimize", NULL_KERNEL, *store, **more)
    own = {"XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    return subprocess.Popen(
        command,
        env=environment | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kept(lab, count):
    demand(until(lambda: lab.count("trials") >= count), "no progress")


@pytest.mark.parametrize("group", [False, True], ids=["process", "group"])
def test_ctrl_c_ends_a_watched_run_once_and_with_its_report(tmp_path, group):
    lab = Lab(tmp_path)
    with optimizing(tmp_path) as process:
        kept(lab, 3)
        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        out, err = ended(process)
    assert (process.returncode, err) == (130, "")
    assert json.loads(out)["state"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_watched_run_dies_with_its_guardian_and_is_resumed(tmp_path, number):
    lab = Lab(tmp_path)
    with optimizing(tmp_path) as process:
        kept(lab, 3)
        os.kill(process.pid, number)
        ended(process)
    assert process.returncode == -number
    time.sleep(0.5)
    trials = lab.count("trials")
    time.sleep(0.5)
    assert lab.count("trials") == trials, "the run goes on without its guardian"
    with optimizing(tmp_path) as process:
        out, err = ended(process)
    assert process.returncode == 0, err
    sound(lab.store)
    assert json.loads(out)["state"] == "finished"


KILLED = """
import functools, os, signal, time
from hotloop.host import guardian
if {number} != signal.SIGKILL:
    signal.signal({number}, signal.SIG_DFL)  # whoever runs the tests may have it ignored, as nohup does, or a shell in the background
guardian.allow(functools.partial(print, flush=True))
guardian.watch()
os.kill(os.getpid(), {number})
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("number", "words"),
    [
        *[(9, "SIGKILL, as happens when memory runs out: "), (15, "SIGTERM: "), (1, "SIGHUP: "), (3, "SIGQUIT: ")],
        *[(10, "SIGUSR1: "), (24, "SIGXCPU: "), (14, "")],
    ],
)
def test_an_end_from_outside_is_told_and_is_the_commands_own(number, words):
    """What a system does that runs out of memory, or a batch system whose time is over, to the process that works."""
    code = KILLED.format(number=number)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == -number
    assert words in done.stdout
    assert ("goes on where it stopped when the same command is given again" in done.stdout) is bool(words)


STOPPED = """
import signal, time, types
from hotloop.host import guardian
numbers = (-1431655766, int(signal.SIGKILL), int(signal.SIGINT))
told = [types.SimpleNamespace(si_signo=number, si_code=0) for number in numbers]
real = signal.sigtimedwait
signal.sigtimedwait = lambda awaited, wait_s: told.pop() if told else real(awaited, wait_s)
guardian.allow(print)
guardian.watch()
time.sleep(0.3)
guardian.ending(0)
"""


def test_what_python_makes_up_for_a_guardian_that_was_stopped_is_no_signal():
    """After Ctrl-Z its sigtimedwait returns what stood in memory if the wait was over meanwhile, Ctrl-C for one, which ended a run."""
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


ALARMED = """
import time
from hotloop.host import deadline, guardian
guardian.allow(print)
try:
    with deadline.ending(0.3):
        guardian.watch()
        time.sleep(60)
except deadline.EndedError:
    print("left")
guardian.ending(0)
"""


def test_a_limit_that_began_before_the_guardian_holds_in_the_process_that_works():
    done = subprocess.run([sys.executable, "-c", ALARMED], capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (0, "left\n", "")


def test_a_function_that_stays_in_one_call_into_c_is_ended(tmp_path):
    """No alarm interrupts such a call, nor does Ctrl-C; the guardian waits half a minute beyond the limit, here two seconds."""
    path = tmp_path / "ending.py"
    path.write_text(END.replace('rng.standard_normal(p.n, "f4")', "sum(iter(int, 1))"))
    program = "from hotloop.host import guardian; guardian._GRACE_S = 2.0; from hotloop.cli.start import main; main()"
    command = [sys.executable, "-c", program, "check", str(path), "--limit", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("hotloop: inputs of kernel ending (")
    assert "ending.py) did not end in time" in line
    assert done.stdout == ""
