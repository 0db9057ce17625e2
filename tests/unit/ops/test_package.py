from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap

import pytest

from hotloop import ops
from hotloop.errors import BadShapeError, UnknownNameError
from hotloop.ops import functions

COSTLY = (
    "numpy",
    "pyopencl",
    "torch",
    "triton",
    "sqlalchemy",
    "hotloop.store.facade",
    "hotloop.kernels.gemm",
    "hotloop.kernels.gemm.operator",
)


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_nothing_costly():
    code = f"""
        import sys
        from hotloop import ops
        print([name for name in {COSTLY!r} if name in sys.modules])
        """
    assert run(code).strip() == "[]"


def test_taking_the_function_loads_no_runtime():
    code = """
        import sys
        from hotloop.ops import gemm
        print([name for name in ("pyopencl", "sqlalchemy") if name in sys.modules])
        """
    assert run(code).strip() == "[]"


def test_public_names_are_there_and_others_are_not():
    assert sorted(dir(ops)) == sorted(ops.__all__)
    for name in ops.__all__:
        assert getattr(ops, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'conv'"):
        _ = ops.conv


def test_what_families_bring_stands_where_type_checkers_look():
    """The imports for type checkers are those that the registry finds, and nothing else is found twice."""
    tree = ast.parse(inspect.getsource(ops))
    told = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    brought = {name: function.__module__ for name, function in functions.public().items()}
    own = {name: f"hotloop.{home}" for name, home in ops.HOMES.items()}
    assert told == {**brought, **own}
    assert not set(brought) & set(own)


def test_a_missing_binding_names_the_extra():
    code = """
        import sys
        sys.modules["pyopencl"] = None
        import importlib.util, numpy as np
        found = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "pyopencl" else found(name, *rest)
        from hotloop import errors, ops
        try:
            ops.gemm(np.ones((2, 2)), np.ones((2, 2)))
        except errors.MissingExtraError as error:
            print(error)
        """
    assert "pip install 'hotloop[cpu]'" in run(code)


def test_explaining_refuses_what_the_family_does_not_have():
    with pytest.raises(UnknownNameError, match=r"unknown .* 'gemv'; known: gemm"):
        ops.explain_choice("gemv", m=3)
    with pytest.raises(BadShapeError, match="gemm has no q; its sizes: m, n, k"):
        ops.explain_choice("gemm", q=3)
    with pytest.raises(BadShapeError, match="no meaning: m=-1 is negative"):
        ops.explain_choice("gemm", m=-1)
    with pytest.raises(BadShapeError, match="no meaning"):
        ops.explain_choice("gemm", dtype="int8")


def test_no_module_of_the_package_hides_a_public_name():
    import pkgutil

    assert {module.name for module in pkgutil.iter_modules(ops.__path__)} & set(dir(ops)) == set()
