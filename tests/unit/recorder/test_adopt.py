"""Winners in the place of jitted functions, with a stand-in for Triton's class: what is launched, and launched again."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from hotloop.app.capture.run import environment
from hotloop.recorder import adopt, identity

WINNER = """
class _Function:
    def __init__(self, fn):
        self.fn, self.arg_names = fn, ["y", "x", "n", "BLOCK", "N_PROGRAMS"]


def _twice(y, x, n, BLOCK, N_PROGRAMS=None):
    pass


twice = _Function(_twice)
"""


def twice(y, x, n, BLOCK):
    """Be the program's own function."""


@pytest.fixture
def launches(monkeypatch):
    monkeypatch.setattr(identity, "own_text", lambda _fn: "own")
    monkeypatch.setattr(identity, "device", lambda **_: "card")
    monkeypatch.setattr(identity, "versions", lambda: "1")
    rows = []

    class Function:
        fn = staticmethod(twice)

        def run(self, *given, grid, warmup, **others):
            rows.append((self, given, grid, others))
            return SimpleNamespace(n_regs=32)

    row = {
        "entry": "twice", "own": "own", "device": "card", "versions": "1", "search": [], "package": "", "after": WINNER,
        "start": {"BLOCK": 32}, "config": {"BLOCK": 64}, "units": 2, "guards": ["num_programs(0) * n <= 1000"],
        "divided": [{"constant": "BLOCK", "own": 32, "new": 64, "axis": 0}],
        "fewer": [{"argument": "N_PROGRAMS", "by": 1, "each": 1, "axis": 0}],
    }  # fmt: skip
    adopt._jitted(Function, [row])
    return Function(), rows


def test_what_a_launch_returns_is_the_winner_when_it_is_launched_again(launches):
    function, rows = launches
    compiled = function.run("y", "x", 10, grid=(7,), warmup=False, BLOCK=32, num_warps=4)
    assert compiled.n_regs == 32, "the rest is the compiled kernel's"
    assert rows[-1][1:] == (("y", "x", 10), (2,), {"BLOCK": 64, "num_warps": 4, "N_PROGRAMS": 4})  # 7 of 32 are 4 of 64
    for given in (("b", "a", 20), ("b", "a", 20, 32)):
        compiled[(9,)](*given, stream=0)
        winner, _, grid, others = rows[-1]
        assert winner is rows[0][0]
        assert winner is not function
        assert grid == (2,)
        assert others == {"y": "b", "x": "a", "n": 20, "BLOCK": 64, "num_warps": 4, "N_PROGRAMS": 5}
    with pytest.raises(ValueError, match="argument"):
        compiled[(9,)]("b", "a")
    function.run("y", "x", 10, grid=(7,), warmup=False, BLOCK=64)
    assert rows[-1][3] == {"BLOCK": 64, "N_PROGRAMS": 7}, "the host counted by its own constant"


def test_the_winners_file_ends_with_the_program(tmp_path, monkeypatch, request):
    ends = []
    monkeypatch.setattr(adopt.atexit, "register", lambda end, **given: ends.append((end, given)))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    function, _ = request.getfixturevalue("launches")
    function.run("y", "x", 10, grid=(7,), warmup=False, BLOCK=32)
    assert [path.suffix for path in tmp_path.glob("*.py")] == [".py"], "Triton reads it when a kernel is first launched"
    for end, given in ends:
        end(**given)
    assert not list(tmp_path.glob("*.py"))


def test_every_launch_again_is_asked_the_conditions(launches, capsys):
    function, rows = launches
    compiled = function.run("y", "x", 10, grid=lambda values: (values["n"],), warmup=False, BLOCK=32)
    compiled[(400,)]("b", "a", 20)
    own, _, grid, others = rows[-1]
    assert own is function
    assert grid == (400,)
    assert others["BLOCK"] == 32
    assert "num_programs(0) * n <= 1000 does not hold" in capsys.readouterr().err


def test_a_grid_that_the_host_counts_by_the_winners_block_is_not_divided_again(launches):
    function, rows = launches
    for grid, many in ((lambda values: (224 // values["BLOCK"],), 3), (lambda _values: (7,), 4), ((7,), 4)):
        function.run("y", "x", 10, grid=grid, warmup=False, BLOCK=32)
        assert rows[-1][3]["N_PROGRAMS"] == many


def test_of_several_winners_of_a_name_a_function_gets_the_one_of_its_own_text(monkeypatch, capsys):
    texts = {}
    monkeypatch.setattr(identity, "own_text", lambda fn: texts[fn])
    monkeypatch.setattr(identity, "device", lambda **_: "card")
    monkeypatch.setattr(identity, "versions", lambda: "1")
    launched = []

    class Function:
        def __init__(self, own):
            def twice(y):
                """Be one of several functions of this name."""

            self.fn, texts[twice] = twice, own

        def run(self, *_given, grid, warmup, **_others):
            launched.append(self)
            return SimpleNamespace()

    row = {
        "entry": "twice", "device": "card", "versions": "1", "search": [], "package": "", "start": {}, "config": {},
    }  # fmt: skip
    adopt._jitted(Function, [{**row, "own": own, "after": WINNER.replace("32", own)} for own in ("1", "2")])
    kernels = [Function(own) for own in ("1", "2", "3")]
    for kernel in kernels:
        kernel.run("y", grid=(1,), warmup=False)
    assert launched[0].fn.__module__ != launched[1].fn.__module__
    assert launched[2] is kernels[2]
    assert capsys.readouterr().err.count("another kernel's of this name") == 1


def test_a_winner_that_cannot_be_launched_leaves_the_programs_own(monkeypatch, capsys):
    for name, value in (("own_text", "own"), ("versions", "1")):
        monkeypatch.setattr(identity, name, lambda *_, value=value: value)
    monkeypatch.setattr(identity, "device", lambda **_: "card")

    def shared(self, *_given, grid, warmup, **_others):
        if not isinstance(self, Function):
            raise OSError("out of resources: shared memory")
        return "own"

    class Function:
        fn = staticmethod(twice)
        run = shared

    class InterpretedFunction(Function):
        run = shared

    row = {
        "entry": "twice", "own": "own", "device": "card", "versions": "1", "search": [], "package": "", "after": WINNER,
        "start": {}, "config": {},
    }  # fmt: skip
    for kind in (Function, InterpretedFunction):
        adopt._jitted(kind, [row])
    assert Function().run("y", "x", 10, grid=(7,), warmup=False) == "own"
    assert "cannot be launched: out of resources: shared memory" in capsys.readouterr().err
    with pytest.raises(OSError, match="shared memory"):  # in the interpreter some of its results may be written already
        InterpretedFunction().run("y", "x", 10, grid=(7,), warmup=False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read (No such file or directory)"),
        ("", "is no adoption"),
        ('{"format": "hotloop adopt', "is no adoption"),
        ("[]", "wrote something else"),
        (json.dumps({"format": "hotloop adoption", "version": 9, "kernels": []}), "of format 9, this hotloop reads 1"),
        (json.dumps({"format": "hotloop adoption", "version": 1, "kernels": 3}), "lacks what is known of a kernel"),
        (json.dumps({"format": "hotloop adoption", "version": 1, "kernels": [{"language": "triton"}]}), "lacks what"),
    ],
)
def test_a_damaged_file_is_a_sentence_and_the_program_runs(text, told, tmp_path):
    path = tmp_path / "adoption.json"
    if text is not None:
        path.write_text(text)
    environ = {**environment(), "HOTLOOP_ADOPT": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", "print(6 * 7)"], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == "42\n"
    (line,) = [line for line in done.stderr.splitlines() if "hotloop" in line]
    assert line.startswith(f"hotloop adopt: {path} ")
    assert told in line
    assert line.endswith("the program's own kernels run")
    assert "Error in sitecustomize" not in done.stderr


def test_a_launch_in_other_dimensions_is_for_the_sizes_and_numbers_on_which_it_won():
    import numpy as np

    row = {"own_sizes": [64], "sizes": [2, 8], "numbers": {"1": np.int32(8).tobytes().hex()}}
    adopt._as_won(row, (64,), {0: object(), 1: np.int32(8)})
    adopt._as_won(row, (64,), {0: object(), 1: np.int32(8).tobytes()})
    for whole, given in (((128,), np.int32(8)), ((64,), np.int32(16)), ((64,), None)):
        with pytest.raises(ValueError, match="other sizes or numbers"):
            adopt._as_won(row, whole, {0: object(), 1: given} if given is not None else {})


def test_more_work_items_than_a_text_has_a_bound_for_are_not_launched():
    """It won in whole groups, and nothing shows that its text looks at its bounds: with another size it would write behind its arrays."""
    assert adopt._grouped({"rounds": [False]}, (1024,), (64,)) == (1024,)
    assert adopt._grouped({"rounds": [True]}, (1000,), (64,)) == (1024,)
    assert adopt._grouped({}, (1000,), None) == (1000,)
    for row in ({"rounds": [False]}, {}):
        with pytest.raises(ValueError, match="no bound"):
            adopt._grouped(row, (1000,), (64,))


class _Program:
    """A program of pyopencl's, and what it wraps, in one."""

    def __init__(self, _context, text):
        self._source, self._prg, self.int_ptr = text, self, id(self)

    def build(self, _options=()):
        return self

    def get_info(self, _what):
        return "context"

    def get_build_info(self, _device, _what):
        return ""


class _Kernel:
    def __init__(self, program, name):
        self.program, self.function_name, self.int_ptr = program, name, id(self)

    def get_info(self, _what):
        return self.program


@pytest.mark.parametrize("order", [1, -1])
def test_kernels_of_one_name_get_the_winner_of_their_own_text(order, capsys, monkeypatch):
    monkeypatch.setattr(adopt, "_told", set())
    launched = []
    info = SimpleNamespace(PROGRAM=0, CONTEXT=0, OPTIONS=0)
    native = SimpleNamespace(
        Kernel=_Kernel,
        enqueue_nd_range_kernel=lambda _queue, kernel, *more: launched.append((kernel.program._source, more[0])),
    )
    cl = SimpleNamespace(
        _cl=native, Program=type("Program", (_Program,), {}), Kernel=_Kernel, kernel_info=info, program_info=info, program_build_info=info
    )  # fmt: skip
    rows = [
        {
            "entry": "k", "before": text, "after": f"{text} faster", "device": "card", "versions": "1", "steps": [step], "group": None,
            "own_group": None,
        }
        for text, step in (("row", 2), ("column", 4))
    ]  # fmt: skip
    adopt._opencl(cl, rows[::order])
    queue = SimpleNamespace(device=SimpleNamespace(name="card", driver_version="1"))
    for text in ("column", "row", "other"):
        kernel = _Kernel(cl.Program("context", text).build(), "k")
        adopter_set(cl, kernel)
        cl.enqueue_nd_range_kernel(queue, kernel, (64,), None)
    assert launched == [("column faster", (16,)), ("row faster", (32,)), ("other", (64,))]
    assert capsys.readouterr().err.count("its text has changed since") == 1


def adopter_set(cl, kernel):
    """Note that the program gave a kernel no argument."""
    cl.enqueue_nd_range_kernel.__self__._set[kernel.int_ptr] = {}
