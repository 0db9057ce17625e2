"""What of a kernel file crosses to the worker: the function and what it needs, at the same lines, and nothing else."""

import importlib.util
import sys
import textwrap
import types

import pytest

from hotloop.errors import KernelFileError
from hotloop.languages.enclosed import cells, plain
from hotloop.languages.excerpt import excerpt, plain_excerpt
from hotloop.recorder.identity import own_text
from hotloop.rewrite.jitted.form import Script

HEAD = """
from __future__ import annotations
import math
import json as unused
from pathlib import Path

class Jitted:
    def __init__(self, fn):
        self.fn = fn

def jit(fn):
    return Jitted(fn)
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    made = []

    def loaded(text, name="kernelfile", package=""):
        folder = tmp_path.joinpath(*package.split(".")) if package else tmp_path
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.py"
        path.write_text(HEAD + textwrap.dedent(text))
        whole = f"{package}.{name}" if package else name
        spec = importlib.util.spec_from_file_location(whole, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[whole] = module
        made.append(whole)
        spec.loader.exec_module(module)
        return module

    yield loaded
    for name in made:
        del sys.modules[name]


def test_only_what_the_kernel_needs_is_taken(load):
    module = load('''
    SCALE = 3.0
    OTHER = Path("never")
    SCALE += math.pi

    @jit
    def helper(x):
        return x * SCALE

    print("side effects stay here", end="")

    @jit
    def kernel(x):
        """Docstring."""
        return helper(x)

    class Declared:
        kernel = kernel
    ''')
    found = excerpt(module.kernel, "here")
    assert found.entry == "kernel"
    for part in ("from __future__", "import math", "SCALE = 3.0", "SCALE += math.pi", "def helper", "class Jitted"):
        assert part in found.text
    for part in ("Path", "unused", "OTHER", "print", "class Declared"):
        assert part not in found.text
    lines = (found.file.read_text().splitlines(), found.text.splitlines())
    assert lines[0].index("def kernel(x):") == lines[1].index("def kernel(x):")
    names = {}
    exec(compile(found.text, "excerpt", "exec"), names)
    assert names["kernel"].fn.__name__ == "kernel"


def test_definitions_under_a_condition_are_taken_whole(load):
    module = load("""
    try:
        import nothing_of_that_name as fast
    except ImportError:
        fast = None

    if fast:
        BLOCK = 1
    else:
        BLOCK = 2

    @jit
    def kernel(x):
        return x + BLOCK
    """)
    text = excerpt(module.kernel, "here").text
    assert "except ImportError:" in text
    assert "BLOCK = 2" in text


def test_other_edits_of_the_file_leave_the_excerpt_alone(load):
    kernel = "\n@jit\ndef kernel(x):\n    return x\n"
    before = excerpt(load(kernel + "A = 1\n", "before").kernel, "here").text
    assert excerpt(load(kernel + "A = 2\nB = 3\n", "after").kernel, "here").text == before


def test_the_users_own_modules_are_found_again_and_their_changes_seen(load, tmp_path):
    helper = tmp_path / "own_helper.py"
    helper.write_text("VALUE = 1\n")
    try:
        module = load("import own_helper\n\n@jit\ndef kernel(x):\n    return x + own_helper.VALUE\n")
        first = excerpt(module.kernel, "here")
        helper.write_text("VALUE = 2\n")
        second = excerpt(module.kernel, "here")
    finally:
        sys.modules.pop("own_helper", None)
    assert first.search == (str(tmp_path.resolve()),)
    assert list(first.uses) == ["own_helper"]
    assert first.uses != second.uses
    assert "math" not in first.uses


def test_relative_imports_keep_their_package(load, tmp_path):
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "sizes.py").write_text("BLOCK = 4\n")
    try:
        module = load("from .sizes import BLOCK\n\n@jit\ndef kernel(x):\n    return x + BLOCK\n", "kernels", "mine")
        found = excerpt(module.kernel, "here")
    finally:
        for name in ("mine", "mine.sizes"):
            sys.modules.pop(name, None)
    assert found.package == "mine"
    assert found.search == (str(tmp_path.resolve()),)
    assert list(found.uses) == ["mine.sizes"]


def test_autotuned_kernels_are_unwrapped(load):
    module = load("@jit\n@jit\ndef kernel(x):\n    return x\n")
    assert plain(module.kernel).__name__ == "kernel"


MAKER = """
@jit
def add(x, y):
    return x + y

def make(by, turn=math.hypot, plus=add):
    from math import pi
    import cmath
    @jit
    def inner(x):
        return plus.fn(turn(x, by), 1)

    class Kernels:
        @jit
        def kernel(x):
            return inner.fn(x) + (pi + cmath.pi) * 0

    return Kernels.kernel
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{MAKER}kernel = make([1])\n", "uses by of it, a list that has no text"),
        (f"by = 1\n{MAKER.replace('x + y', 'x + y + by')}kernel = make(2)\n", "by is not what the top level"),
        ("def kernel(x):\n    return x\n", "no function decorated"),
        ("kernel = 3\n", "no function decorated"),
        (
            "import types\ndef empty():\n    pass\nkernel = jit(types.FunctionType(empty.__code__, {}, 'twice'))\n",
            "in no file: kernelfile.py makes it",
        ),
    ],
)
def test_what_cannot_be_taken_is_one_sentence(load, text, why):
    with pytest.raises(KernelFileError, match=why):
        excerpt(load(text).kernel, "of triton in file.py")


def test_a_function_made_in_a_function_stands_at_the_margin_with_what_it_closes_over(load):
    module = load(f"{MAKER}\nkernel = make(4.0)\n")
    found = plain_excerpt(module.kernel, "here")
    names = {}
    exec(compile(found.text, "excerpt", "exec"), names)
    assert names["kernel"].fn(3) == 6.0
    rows, own = found.text.splitlines(), found.file.read_text().splitlines()
    at = next(at for at, row in enumerate(own) if row.startswith("def make"))
    bound = {
        "by = 4.0",
        "from math import hypot as turn",
        "plus = add",
        "import cmath as cmath",
        "pi = 3.141592653589793",
    }
    assert set(rows[at].split("; ")) == bound
    assert all(
        row == line.strip() or line.endswith(row) for row, line in zip(rows, own, strict=False) if row != rows[at]
    )


def test_what_is_closed_over_belongs_to_the_fingerprint(load):
    module = load(f"{MAKER}\none, two, again = make(1), make(2), make(1)\n")
    one, two, again = (
        own_text(plain(cells(plain(kernel))["inner"])) for kernel in (module.one, module.two, module.again)
    )
    assert one == again != two


CHOICE = """
from slow.package import newer, Absent

if newer("1.0") and not Absent():
    try:
        # the usual place
        from math import tau as turn, pi
    except ModuleNotFoundError:
        from cmath import tau as turn
else:
    from cmath import pi

@jit
def doubled(x):
    return x * turn * pi
"""


def test_a_choice_between_imports_is_the_one_that_was_made(load, monkeypatch):
    package = type(sys)("slow.package")
    package.newer, package.Absent = (lambda _: True), (lambda: False)
    monkeypatch.setitem(sys.modules, "slow", type(sys)("slow"))
    monkeypatch.setitem(sys.modules, "slow.package", package)
    made = excerpt(load(CHOICE).doubled, "here")
    rows = made.text.splitlines()
    whole = (HEAD + CHOICE).splitlines()
    assert "from math import tau as turn, pi" in rows
    assert rows.index("from math import tau as turn, pi") == whole.index("        from math import tau as turn, pi")
    assert "slow.package" not in made.text
    assert "cmath" not in made.text


@pytest.mark.parametrize(
    "block",
    [
        # the name has another value by now
        "try:\n    from math import pi\nexcept ImportError:\n    from cmath import pi\npi = 3\n",
        # a number is set as well
        "try:\n    from math import pi\n    there = True\nexcept ImportError:\n    there = False\n",
        # a statement with an effect
        "if len('a'):\n    from math import pi\n    print(end='')\n",
        # a module, not a name of it
        "if len('a'):\n    import math as pi\n",
    ],
)
def test_a_block_that_does_more_than_import_stays_whole(load, block):
    made = excerpt(load(f"{block}\n@jit\ndef doubled(x):\n    return x * pi\n").doubled, "here")
    assert block.splitlines()[0] in made.text.splitlines()


def test_a_function_under_a_condition_stands_at_the_margin(load):
    module = load("""
    HERE = True
    if HERE:
        SCALE = 2
        @jit
        def kernel(x):
            return x * SCALE
    else:
        @jit
        def kernel(x):
            return x
    """)
    found = excerpt(module.kernel, "here")
    names = {}
    exec(compile(found.text, "excerpt", "exec"), names)
    assert names["kernel"].fn(3) == 6
    own = found.file.read_text().splitlines()
    assert all(
        row == line.strip() or row.strip() == line.strip()
        for row, line in zip(found.text.splitlines(), own, strict=False)
        if row
    )


def test_a_function_that_is_jitted_by_a_call_is_decorated(load):
    module = load("""
    def kernel(x):
        return x + 1

    launched = jit(kernel)
    """)
    found = excerpt(module.launched, "here")
    names = {}
    exec(compile(found.text, "excerpt", "exec"), names)
    assert names["kernel"].fn(3) == 4


def test_a_function_that_calls_wrap_under_its_own_name_is_decorated_once(load):
    module = load("""
    def tuned(fn):
        return Jitted(fn)

    def kernel(x):
        return x

    kernel = jit(kernel)
    kernel = tuned(kernel)
    """)
    made = excerpt(module.kernel, "that was launched")
    assert "@jit\ndef kernel(x):" in made.text
    assert "kernel = " not in made.text
    assert "tuned" not in made.text


@pytest.mark.parametrize(
    "line", ["from own_triton import tl  # noqa", "from own_triton import (\n    tl,\n)", "from own_triton import *"]
)
def test_a_language_that_comes_through_the_projects_own_module_is_imported_plainly_too(load, monkeypatch, line):
    language = types.ModuleType("triton.language")
    monkeypatch.setitem(sys.modules, "triton.language", language)
    monkeypatch.setitem(sys.modules, "own_triton", types.ModuleType("own_triton"))
    sys.modules["own_triton"].tl = language
    module = load(f"{line}\n\n@jit\ndef kernel(x):\n    return tl.load(x)\n")
    found = excerpt(module.kernel, "here").text
    assert Script(found, "kernel").tl == "tl"
    assert found.count("\n") == (HEAD + line).count("\n") + 5  # at the same lines
    monkeypatch.setattr(sys.modules["own_triton"], "tl", object())
    other = load(f"{line}\n\n@jit\ndef kernel(x):\n    return tl.load(x)\n", "another")
    assert not Script(excerpt(other.kernel, "here").text, "kernel").language
