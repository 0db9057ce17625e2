"""A winner beside the program's own kernel: where it is put, what it is called, and what launches one or the other."""

import ast
from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.run.kept import chosen
from hotloop.app.run.kept.adoption import Adoption
from hotloop.rewrite.jitted.scene import Divided, Relaunch

KERNEL = "@jit\ndef twice(y, x, n, BLOCK: constexpr = 32):\n    return 'own', n"
BEFORE = f"{KERNEL}\n"
AFTER = """@jit
def twice_one(n):
    return n


@jit
def twice(y, x, n, BLOCK: constexpr = 32, n_rows: constexpr = 0):
    return "twice", twice_one(n), n_rows, BLOCK
"""
FILE = f"from tools import autotune, constexpr, jit\n\n\n@autotune(1)\n{KERNEL}\n\n\ndef other():\n    pass\n"
ADOPTION = Adoption(
    language="triton", entry="twice", before=BEFORE, after=AFTER, device="card", versions="1",
    guards=("n % BLOCK == 0", "shared_memory() == 0 and num_programs(0) * n <= 1000"), fewer=(Relaunch(argument="n_rows", by=4),),
    start={"BLOCK": 32, "num_warps": 4}, config={"BLOCK": 64, "num_warps": 4}, divided=(Divided(constant="BLOCK", own=32, new=64),),
)  # fmt: skip


class Function:
    """What `triton.jit` makes: it runs with a grid."""

    def __init__(self, fn):
        self.fn, self.arg_names = fn, list(fn.__code__.co_varnames[: fn.__code__.co_argcount])

    def __call__(self, *args):
        return self.fn(*args)

    def run(self, *args, grid, warmup, **options):
        size = tuple(grid(options)) if callable(grid) else grid
        named = {name: options.pop(name) for name in self.arg_names if name in options}
        return self.fn(*args, **named), size, options, warmup


def run(text, *args, grid, **options):
    """Execute a file and launch its kernel."""
    tools = {"jit": Function, "constexpr": None, "autotune": lambda _n: lambda function: function}
    space = dict(tools)
    exec(text.partition("\n")[2], space)
    return space["twice"].run(*args, grid=grid, warmup=False, **options)


def tensor(place):
    return SimpleNamespace(untyped_storage=lambda: SimpleNamespace(data_ptr=lambda: place))


def test_the_winner_is_launched_with_its_grid_and_constants_where_it_is_right():
    text = chosen.beside(FILE, 4, ADOPTION)
    made, size, options, _ = run(text, tensor(1), tensor(2), 64, grid=(8, 2))
    assert made == ("twice", 64, 4, 64), "8 programs of 32 are 4 of 64"
    assert (size, options) == ((1, 2, 1), {}), "four of them in one"
    assert run(text, tensor(1), tensor(2), 64, grid=lambda given: (512 // given["BLOCK"],))[0][2] == 8, (
        "the host has counted them"
    )
    assert run(text, tensor(1), tensor(2), 64, grid=lambda _given: (8,))[0][2] == 4


@pytest.mark.parametrize(
    ("args", "options"),
    [((tensor(1), tensor(2), 65), {}), ((tensor(1), tensor(1), 64), {}), ((tensor(1), tensor(2), 256), {})],
    ids=["does not divide", "same memory", "too many programs"],
)
def test_the_programs_own_is_launched_as_it_was_elsewhere(args, options):
    made, size, *_ = run(chosen.beside(FILE, 4, ADOPTION), *args, grid=(8, 2), **options)
    assert (made, size) == (("own", args[2]), (8, 2))


def test_another_configuration_keeps_its_constants():
    made, size, options, _ = run(
        chosen.beside(FILE, 4, ADOPTION), tensor(1), tensor(2), 64, grid=(8,), BLOCK=16, num_warps=2
    )
    assert made == ("twice", 64, 8, 16)
    assert (size, options) == ((2, 1, 1), {"num_warps": 2})


def test_constants_alone_need_no_second_text():
    alone = replace(ADOPTION, after=BEFORE, guards=(), fewer=(), divided=(), config={"BLOCK": 64, "num_warps": 8})
    text = chosen.beside(FILE, 4, alone)
    assert "twice_faster" not in text
    assert run(text, 1, 2, 64, grid=(8,)) == (("own", 64), (8, 1, 1), {"num_warps": 8}, False)


@pytest.mark.parametrize("head", ["try:", "if True:", "def make():", "class Kernels:"])
def test_a_kernel_further_right_is_put_so(head):
    rows = "\n".join(f"    {row}" for row in KERNEL.splitlines())
    text = f"{head}\n{rows}\n" + ("except OSError:\n    pass\n" if head == "try:" else "")
    single = replace(ADOPTION, after=AFTER.partition("\n\n\n")[2].replace("twice_one(n)", "n"))
    made = chosen.beside(text, 2, single)
    assert "\n    @_twice_chosen\n    @jit\n    def twice(" in made
    ast.parse(made)
    assert (chosen.beside(text, 2, ADOPTION) is None) == (head in ("def make():", "class Kernels:")), (
        "one finds no other there"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"def twice_one():\n    pass\n\n\n{KERNEL}\n",
        f"def twice_faster():\n    pass\n\n\n{KERNEL}\n",
        "def twice(y, x, n):\n    pass\n\n\ntwice = jit(twice)\n",
        "@jit\n@other\ndef twice(y, x, n):\n    pass\n",
        "twice = (",
    ],
    ids=["name of a part", "name of the winner", "by a call", "jit above", "no Python"],
)
def test_what_cannot_be_put_so_is_left_to_the_host(text):
    assert chosen.beside(text, 5, ADOPTION) is None


def test_of_two_of_a_name_the_one_of_the_line():
    two = f"if True:\n    @jit\n    def twice(y):\n        pass\nelse:\n{chr(10).join('    ' + row for row in KERNEL.splitlines())}\n"
    made = chosen.beside(two, 6, replace(ADOPTION, after=AFTER.replace("_one(n)", "_part(n)")))
    assert made.index("@_twice_chosen") > made.index("else:")
    assert chosen.beside(two, 9, ADOPTION) is None, "no such line"
