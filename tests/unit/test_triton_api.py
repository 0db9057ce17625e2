"""`hl.Triton` and `hl.Gluon`: from a decorated function to programs, and mistakes of the file as one sentence.

No Triton is needed to declare, so a decorator stands in that keeps the function in ``fn`` as Triton's does.
"""

import importlib.util
import sys

import numpy as np
import pytest

import hotloop as hl
from hotloop.errors import KernelFileError
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Input
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.triton_api import Descriptor

GPU = Device(
    name="G", kind="gpu", backend="triton", runtime="r", runtime_key="cuda", target="sm_90", max_workgroup=1024
)
AMD = Device(
    name="G", kind="gpu", backend="triton", runtime="r", runtime_key="hip", target="gfx942", max_workgroup=1024
)
PROBLEM = Problem("scaled", Record(n=1000))
FILE = """
class Jitted:
    def __init__(self, fn):
        self.fn = fn

def jit(fn):
    return Jitted(fn)

@jit
def scale(y, x, n, BLOCK: "tl.constexpr", FAST: "tl.constexpr" = False, offset=0):
    pass
"""


@pytest.fixture
def scale(tmp_path):
    path = tmp_path / "scalefile.py"
    path.write_text(FILE)
    spec = importlib.util.spec_from_file_location("scalefile", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["scalefile"] = module
    spec.loader.exec_module(module)
    yield module.scale
    del sys.modules["scalefile"]


def inputs(p, rng):
    return dict(x=rng.standard_normal(p.n).astype("f2"), y=hl.empty(p.n), n=p.n, half=np.float32(0.5))


def declared(kernel, kind=hl.Triton, **changes):
    options = dict(
        params=dict(BLOCK=[128, 256], num_warps=[4, 8]), args=("y", "x", "n"), grid=lambda p, c: (-(-p.n // c.BLOCK),)
    )
    return kind(kernel, **{**options, **changes})


def made(kernel, tmp_path, kind=hl.Triton, **changes):
    return declared(kernel, kind, **changes).implementation("triton", tmp_path / "scalefile.py", inputs)


def planned(kernel, tmp_path, config=None, device=GPU, **changes):
    implementation = made(kernel, tmp_path, **changes)
    return implementation.plan(PROBLEM, config or implementation.start, device)


def test_a_program_says_all_that_a_worker_needs(scale, tmp_path):
    program = planned(scale, tmp_path, Config(BLOCK=256, num_warps=8))
    meta = parse(program.options)
    (launch,) = program.launches
    assert (program.language, launch.entry, program.source_name) == ("triton", "scale", "scalefile.py")
    assert launch.arguments == (Array("y"), Array("x"), Input("n", "int64"))
    assert meta.values == {"BLOCK": 256, "num_warps": 8}
    assert meta.dtypes == {"y": "float32", "x": "float16"}
    assert "def scale" in program.source


def test_geometry_counts_threads_and_groups(scale, tmp_path):
    (launch,) = planned(scale, tmp_path, Config(BLOCK=128, num_warps=8)).launches
    assert (launch.global_size, launch.local_size, launch.groups) == ((8 * 256,), (256,), 8)
    (wide,) = planned(scale, tmp_path, Config(BLOCK=128, num_warps=8), AMD).launches
    assert (wide.local_size, wide.groups) == ((512,), 8)
    (flat,) = planned(scale, tmp_path, grid=lambda p, c: (3, 5, 7)).launches
    assert (flat.global_size, flat.local_size, flat.groups) == ((3 * 128, 5, 7), (128, 1, 1), 105)


def test_more_threads_than_a_group_has_rule_a_configuration_out(scale, tmp_path):
    with pytest.raises(ValueError, match="2048 threads"):
        planned(scale, tmp_path, Config(BLOCK=128, num_warps=64), params=dict(BLOCK=[128], num_warps=[64]))


def test_parameters_of_their_own_serve_the_grid_only(scale, tmp_path):
    program = planned(
        scale,
        tmp_path,
        params=dict(CHUNK=[64]),
        constants=lambda p, c: dict(BLOCK=2 * c.CHUNK, maxnreg=64),
        grid=lambda p, c: (c.CHUNK,),
    )
    assert parse(program.options).values == {"BLOCK": 128, "maxnreg": 64}


def test_inputs_of_the_parameters_names_need_no_args(scale, tmp_path):
    program = planned(scale, tmp_path, args=None)
    assert [a.name for a in program.launches[0].arguments] == ["y", "x", "n"]


def test_numpy_numbers_keep_their_type(scale, tmp_path):
    program = planned(scale, tmp_path, args=("y", "x", "half"))
    assert program.launches[0].arguments[2] == Input("half", "float32")


def test_types_that_numpy_lacks_can_be_given(scale, tmp_path):
    assert parse(planned(scale, tmp_path, dtypes=dict(x="bfloat16")).options).dtypes["x"] == "bfloat16"


def test_descriptors_cross_with_their_shapes(scale, tmp_path):
    shown = Descriptor((10, 100), (2, 64))
    program = planned(scale, tmp_path, descriptors=lambda p, c: dict(x=shown))
    assert parse(program.options).descriptors == {"x": shown}


def test_compiler_options_have_their_techniques(scale, tmp_path):
    space = made(scale, tmp_path, params=dict(BLOCK=[1], num_warps=[4, 8], num_stages=[1, 2])).space
    assert {p.name: p.technique for p in space.parameters} == {
        "BLOCK": "",
        "num_warps": "workgroup-size",
        "num_stages": "prefetch",
    }
    changed = made(scale, tmp_path, techniques=dict(BLOCK="vectorize", num_warps="persistent")).space
    assert {p.name: p.technique for p in changed.parameters} == {"BLOCK": "vectorize", "num_warps": "persistent"}


def test_gluon_differs_in_the_language_only(scale, tmp_path):
    implementation = made(scale, tmp_path, hl.Gluon)
    assert (implementation.language, implementation.plan(PROBLEM, implementation.start, GPU).language) == ("gluon",) * 2


def test_inputs_are_drawn_once_for_a_problem(scale, tmp_path):
    drawn = []

    def counted(p, rng):
        drawn.append(p)
        return inputs(p, rng)

    implementation = declared(scale).implementation("triton", tmp_path / "scalefile.py", counted)
    programs = {
        implementation.plan(PROBLEM, implementation.start.replace(BLOCK=b), GPU).fingerprint for b in (128, 256)
    }
    assert (len(drawn), len(programs)) == (1, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(grid=None), "grid .* is missing"),
        (dict(params=dict(num_warps=[4])), "needs a value of BLOCK"),
        (dict(args=("y", "x")), "parameter n that args gives nothing for"),
        (dict(args=("y", "x", "n", "n", "n", "n")), "needs a value of FAST"),
        (dict(args=("y", "x", "z")), "names z, which inputs does not return"),
        (dict(grid=lambda p, c: (1, 1, 1, 1)), "4 dimensions"),
        (dict(grid=lambda p, c: p.missing), "grid .* raises"),
        (dict(grid=lambda p, c: ("a",)), "whole numbers"),
        (dict(techniques=dict(OTHER="vectorize")), "techniques .* names OTHER"),
        (dict(start=dict(BLOCK=3)), "start configuration"),
    ],
)
def test_mistakes_are_one_sentence(scale, tmp_path, changes, message):
    if "params" in changes:
        changes = {**changes, "grid": lambda p, c: (1,)}
    with pytest.raises(KernelFileError, match=message):
        planned(scale, tmp_path, **changes)


def test_a_plain_function_is_no_kernel(tmp_path):
    with pytest.raises(KernelFileError, match="triton.jit"):
        made(inputs, tmp_path)
