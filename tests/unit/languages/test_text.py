"""CUDA and HIP declarations: from a user's class to a program."""

from dataclasses import replace

import numpy as np
import pytest

import hotloop as hl
from hotloop.backends.null import DEVICE
from hotloop.errors import KernelFileError
from hotloop.model.program import Array, Input, Local

GPU = replace(DEVICE, kind="gpu", backend="cuda", max_workgroup=1024, local_mem_bytes=1000)


def made(declared, **sizes):
    @hl.kernel(problem={"n": 1000} | sizes, work=lambda p: hl.Work(flops=p.n, bytes=4 * p.n))
    class twice:
        def inputs(p, rng):
            return dict(x=np.zeros(p.n, "f4"), y=hl.empty(p.n), n=np.int64(p.n))

        def reference(p, x, y, n):
            return dict(y=2 * x)

        cuda = declared

    return twice


def cuda(**changes):
    options = dict(
        source="// text\n",
        entry="twice<4>",
        params=dict(VEC=[1, 2, 4], FAST=[False, True]),
        grid=lambda p, c: (-(-p.n // (64 * c.VEC)), 2),
        block=lambda p, c: (64, 1),
    )
    return (changes.pop("language", hl.CUDA))(**(options | changes))


def plan(kernel, changes=None, device=GPU):
    implementation = kernel.implementation("cuda")
    return implementation.plan(kernel.problem, implementation.start.replace(**(changes or {})), device)


@pytest.mark.parametrize(("declared", "language"), [(hl.CUDA, "cuda"), (hl.HIP, "hip")])
def test_a_grid_of_blocks_becomes_work_items_and_groups(declared, language):
    program = plan(made(cuda(language=declared, shared=lambda p, c: 8 * c.VEC)), {"VEC": 4, "FAST": True})
    (launch,) = program.launches
    assert program.language == language
    assert (launch.entry, launch.global_size, launch.local_size) == ("twice<4>", (4 * 64, 2), (64, 1))
    assert launch.arguments == (Array("x"), Array("y"), Input("n", "int64"), Local(32))
    assert program.options == ("-DVEC=4", "-DFAST=1")


def test_order_of_arguments_further_macros_and_options():
    declared = cuda(args=["n", "y"], defines=lambda p, c: dict(N=p.n, VEC=7), options=["--use_fast_math"])
    program = plan(made(declared))
    assert [a.name for a in program.launches[0].arguments] == ["n", "y"]
    assert program.options == ("-DVEC=7", "-DFAST=0", "-DN=1000", "--use_fast_math")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (dict(block=lambda p, c: (64 * c.VEC, 8)), "block of (256, 8) threads is more than the 1024"),
        (dict(shared=lambda p, c: 300 * c.VEC), "1200 B of shared memory, 1000 B is all"),
        (dict(grid=lambda p, c: (p.n // (c.VEC - 4), 1)), "division"),
        (dict(block=lambda p, c: (c.VEC - 4, 1)), "block of cuda in"),
    ],
)
def test_configurations_that_are_ruled_out(changes, words):
    with pytest.raises(ValueError, match=".") as caught:
        plan(made(cuda(**changes)), {"VEC": 4})
    assert words in str(caught.value)
    assert not isinstance(caught.value, KernelFileError)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (dict(grid=None), "grid of cuda in test_text.py is missing"),
        (dict(block=None), "block of cuda in test_text.py is missing"),
        (dict(techniques=dict(WIDTH="vectorize")), "names WIDTH, which params does not have"),
        (dict(source="nowhere.cu"), "names the source 'nowhere.cu', which cannot be read"),
        (dict(start=dict(VEC=3)), "start configuration of cuda in test_text.py is not valid"),
    ],
)
def test_mistakes_of_the_file_are_one_sentence(changes, words):
    with pytest.raises(KernelFileError) as caught:
        made(cuda(**changes))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (dict(grid=lambda p, c: (1,)), "must have the same one to three dimensions, not (1,) and (64, 1)"),
        (dict(grid=lambda p, c: "many"), "must return whole numbers"),
        (dict(shared=lambda p, c: p.m), "shared of cuda in test_text.py raises"),
        (dict(args=["z"]), "args of cuda in test_text.py names z"),
    ],
)
def test_mistakes_that_show_when_a_plan_is_made(changes, words):
    with pytest.raises(KernelFileError) as caught:
        plan(made(cuda(**changes)))
    assert words in str(caught.value)


def test_a_class_with_several_languages_keeps_their_order():
    class_body = {
        "inputs": lambda p, rng: dict(x=np.zeros(p.n, "f4"), y=hl.empty(p.n)),
        "reference": lambda p, x, y: dict(y=x),
        "hip": cuda(language=hl.HIP),
        "plain": hl.OpenCL("// text\n", entry="k", global_size=lambda p, c: (p.n,)),
        "cuda": cuda(),
    }
    kernel = hl.kernel(problem={"n": 8}, work=lambda p: hl.Work(flops=1, bytes=1))(type("k", (), class_body))
    assert [(i.name, i.language) for i in kernel.implementations] == [
        ("hip", "hip"),
        ("plain", "opencl"),
        ("cuda", "cuda"),
    ]


def test_anything_that_says_how_it_is_implemented_counts():
    class Own:
        def implementation(self, name, file, inputs):
            return replace(cuda().implementation(name, file, inputs), language="mine")

    kernel = made(Own())
    assert kernel.implementation("cuda").language == "mine"
