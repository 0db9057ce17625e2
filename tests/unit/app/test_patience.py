import time

import pytest

from hotloop.app import userfile
from hotloop.errors import KernelFileError
from hotloop.model.space import Config

FILE = """
import time
import hotloop as hl

@hl.kernel(problem=dict(n=8), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n), awkward=lambda p: HOOK("awkward", [dict(n=1)]))
class late:
    def inputs(p, rng): return HOOK("inputs", dict(x=rng.standard_normal(p.n), y=hl.empty(p.n)))
    def reference(p, x, y): return HOOK("reference", dict(y=x))
    opencl = hl.OpenCL("kernel void f() {}\\n", entry="f", global_size=lambda p, c: HOOK("plan", (p.n,)))

def HOOK(name, value):
    while name == SLOW:
        time.sleep(0.01)
    if SLOW == "exit " + name:
        raise SystemExit(0)
    return value

"""


def _kernel(tmp_path, slow, limit_s=0.1):
    path = tmp_path / "late.py"
    path.write_text(f"SLOW = {slow!r}\n{FILE}")
    return userfile.load(path, "", limit_s)


ASKED = {
    "inputs": lambda k: k.inputs(k.problem, __import__("numpy").random.default_rng(0)),
    "reference": lambda k: k.reference(k.problem, {"x": 1, "y": 2}),
    "awkward": lambda k: k.awkward(k.problem),
    "plan": lambda k: k.implementation().plan(k.problem, k.implementation().start, None),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_function_that_never_returns_becomes_a_sentence(tmp_path, name):
    kernel = _kernel(tmp_path, name)
    words = "planning opencl of kernel late" if name == "plan" else f"{name} of kernel late"
    with pytest.raises(KernelFileError, match=rf"{words}.*late\.py.* did not end within 0\.1 s: .* --limit"):
        ASKED[name](kernel)


@pytest.mark.parametrize("name", ASKED)
def test_functions_that_return_answer_as_before(tmp_path, name):
    assert ASKED[name](_kernel(tmp_path, "", 30)) is not None


def test_a_file_may_take_longer_to_load_than_one_of_its_functions(tmp_path):
    path = tmp_path / "heavy.py"
    path.write_text(f"import time\ntime.sleep(0.2)\nSLOW = ''\n{FILE}")
    started_s = time.monotonic()
    assert userfile.load(path, "", 0.05).family == "late"
    assert time.monotonic() - started_s >= 0.2


@pytest.mark.parametrize("name", ASKED)
def test_a_function_cannot_end_hotloop(tmp_path, name):
    kernel = _kernel(tmp_path, f"exit {name}", 30)
    with pytest.raises(KernelFileError, match="of kernel late.* raises SystemExit; it must return"):
        ASKED[name](kernel)


def test_what_nobody_waits_for_is_told_like_any_error(tmp_path):
    """Such as pytest's `skip`, or what cancels a task: exceptions that are no Exception."""
    with pytest.raises(KernelFileError, match="reference of kernel late.* raises CancelledError; it must return"):
        _raising(tmp_path, "reference").reference(None, {"x": 1, "y": 2})
    with pytest.raises(KernelFileError, match=r"late\.py raises CancelledError when it is loaded: now"):
        _raising(tmp_path, "loading")


def _raising(tmp_path, where):
    path = tmp_path / "late.py"
    raising = "raise __import__('asyncio').CancelledError('now')"
    text = f"SLOW = 'exit {where}'\n" + FILE.replace("raise SystemExit(0)", raising)
    path.write_text(text + (raising if where == "loading" else ""))
    return userfile.load(path, "", 30)


def _constrained(tmp_path, body, limit_s):
    path = tmp_path / "late.py"
    path.write_text(
        f"SLOW = ''\n{FILE}".replace('entry="f",', 'entry="f", params=dict(W=[1, 2]), constraints=[check],').replace(
            "@hl.kernel", f"def check(c):\n    if c.W == 2:\n        {body}\n    return True\n\n@hl.kernel"
        )
    )
    return userfile.load(path, "", limit_s).implementation().space


def test_a_constraint_that_never_returns_becomes_a_sentence_and_the_next_one_is_asked(tmp_path):
    space = _constrained(tmp_path, "while True: time.sleep(0.01)", 1.0)
    with pytest.raises(KernelFileError, match=r"a constraint of opencl of kernel late .*late\.py.* within 1 s"):
        space.valid(Config(W=2))
    assert space.valid(Config(W=1))
    time.sleep(1.1)  # no alarm is left over to ring now


def test_constraints_that_are_slow_together_are_blamed(tmp_path):
    space = _constrained(tmp_path, "time.sleep(0.2)", 1.0)  # a busy machine lengthens a sleep, but not fivefold
    (constraint,) = space.constraints
    with pytest.raises(KernelFileError, match=r"takes \d+(\.\d)? ms on average, [12](\.\d+)? s for \d configurations"):
        list(map(constraint.holds, [Config(W=2)] * 20))


def test_a_constraint_cannot_end_hotloop(tmp_path):
    space = _constrained(tmp_path, "raise SystemExit(0)", 30)
    with pytest.raises(KernelFileError, match="a constraint of opencl .* raises SystemExit; it must return"):
        space.valid(Config(W=2))
