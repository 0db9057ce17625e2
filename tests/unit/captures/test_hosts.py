"""Launches in strangers' hosts: changed where they are understood, and only there."""

import re
from pathlib import Path

import pytest

from hotloop.app.run.kept.adoption import Adoption
from hotloop.app.run.kept.change import Change
from hotloop.app.run.kept.patch import Patch, with_host
from hotloop.captures.hosts import find, native, python
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured, Launched
from hotloop.errors import MachineError, UsageError

FLAT = Sizes("f", (4,), None)
TILED = Sizes("f", (4, 1), (8, 1))
GROUPED = Sizes("f", (1, 1), (16, 1))


@pytest.mark.parametrize(
    ("source", "sizes", "made"),
    [
        ("p.f(queue, (n,), None, x)", FLAT, "p.f(queue, ((n + 3) // 4,), None, x)"),
        ("p.f(\n  queue,\n  (h * 2, w),\n  None, x)", TILED, "p.f(\n  queue,\n  (((h * 2) + 31) // 32 * 8, w),\n  (8, 1), x)"),
        ("p.f(q, shape, None, x)", GROUPED,
         "p.f(q, tuple((size + by - 1) // by * group for size, by, group in zip(shape, (16, 1), (16, 1), strict=True)), (16, 1), x)"),
        ("k = p.f\nk.set_scalar_arg_dtypes([None])\nk(q, (n,), (l,), x)", FLAT,
         "k = p.f\nk.set_scalar_arg_dtypes([None])\nk(q, ((n + 3) // 4,), None, x)"),
        ("self.k = cl.Kernel(p, 'f')\nself.k(q, (n,), None, x)", FLAT,
         "self.k = cl.Kernel(p, 'f')\nself.k(q, ((n + 3) // 4,), None, x)"),
        ("k = p.f\ncl.enqueue_nd_range_kernel(q, k, (n,), None)", FLAT,
         "k = p.f\ncl.enqueue_nd_range_kernel(q, k, ((n + 3) // 4,), None)"),
        ("if a:\n  p.f(q, (n,), None, x).wait()\nelse:\n  p.f(q, (m,), None, x, wait_for=[e])", FLAT,
         "if a:\n  p.f(q, ((n + 3) // 4,), None, x).wait()\nelse:\n  p.f(q, ((m + 3) // 4,), None, x, wait_for=[e])"),
    ],
)  # fmt: skip
def test_launches_in_python_are_changed(source, sizes, made):
    assert python.changed(source, sizes) == made


@pytest.mark.parametrize("items", [1, 3, 31, 32, 33, 1000, 1024])
@pytest.mark.parametrize("sizes", [FLAT, Sizes("f", (4,), (8,)), Sizes("f", (1,), (16,))])
def test_as_many_work_items_remain_as_are_needed(items, sizes):
    import numpy as np

    ((_, size),) = sizes.pairs()
    for number in (items, np.uint32(items), np.int32(items), np.array([items])):
        whole = {"q": 0, "n": number, "p": type("P", (), {"f": staticmethod(lambda _q, w, _l: w)})}
        given = "n" if isinstance(number, np.ndarray) else "(n,)"
        (left,) = eval(python.changed(f"p.f(q, {given}, None)", sizes), {**whole, "zip": zip, "tuple": tuple})
        assert (left * sizes.steps[0] >= items, left % size, (left - size) * sizes.steps[0] < items) == (True, 0, True)


@pytest.mark.parametrize(
    "source",
    [
        "p.f(queue, *sizes, x)",
        "a.f(q, (n,), None, x)\nb.f(q, (n,), None, x)",
        "import numpy as np\nnp.f(image, (n,), None, x)",
        "k = p.f\ncl.enqueue_nd_range_kernel(q, k, (n,), None, (128,))",
        "p.f(queue, (n,), None, x, global_offset=(1,))",
        "p.f(queue, (n, m), None, x)",
        "p.f(queue, global_size=(n,), local_size=None)",
        "k = p.f\nrun(k)",
        "k = p.f\nk = p.g\nk(q, (n,), None, x)",
        "k = p.f\ndef go(k):\n  k(q, (n,), None, x)\n",
        "getattr(p, 'f')(q, (n,), None, x)",
        "names = ['f', 'g']\np.f(q, (n,), None, x)",
        "k = p.f\nk.set_args(x)\ncl.enqueue_nd_range_kernel(q, k, (n,), None)",
    ],
)
def test_what_is_not_understood_in_python_is_left(source):
    with pytest.raises(UnclearError):
        python.changed(source, FLAT)


HOST = """#include <CL/cl.h>
void go(cl_kernel other) {{
  cl_kernel k = clCreateKernel(program, "f", &err);  // clEnqueueNDRangeKernel(q, other, ...)
  {launch}
}}
"""
LAUNCH = "err = clEnqueueNDRangeKernel(queue, k, 2, NULL, {0}, {1}, 0, NULL, &event);"


@pytest.mark.parametrize(
    ("path", "whole", "group", "sizes", "made"),
    [
        ("a.c", "global", "NULL", TILED, ("(const size_t[]){(global[0] + 31) / 32 * 8, global[1]}", "(const size_t[]){8, 1}")),
        ("a.c", "(const size_t*)&size", "local", Sizes("f", (1, 2), None),
         ("(const size_t[]){((const size_t*)&size)[0], (((const size_t*)&size)[1] + 1) / 2}", "NULL")),
        ("a.cpp", "global", "local", Sizes("f", (2, 1), None),
         ("std::initializer_list<size_t>{(global[0] + 1) / 2, global[1]}.begin()", "NULL")),
    ],
)  # fmt: skip
def test_launches_in_c_are_changed(path, whole, group, sizes, made):
    source = HOST.format(launch=LAUNCH.format(whole, group))
    head = "#include <initializer_list>\n" if path == "a.cpp" else ""
    assert native.changed(source, sizes, Path(path)) == head + HOST.format(launch=LAUNCH.format(*made))


@pytest.mark.parametrize(
    "launch",
    [
        LAUNCH.format("global", "NULL").replace(" k,", " other,"),
        LAUNCH.format("global", "NULL").replace(" 2, NULL", " 2, offset"),
        LAUNCH.format("global", "NULL").replace(" 2, NULL", " 1, NULL"),
        f"#define GO {LAUNCH.format('global', 'NULL')}\n GO",
        f'k = clCreateKernel(program, "g", &err); {LAUNCH.format("global", "NULL")}',
        f"k = clCreateKernel(program, name, &err); {LAUNCH.format('global', 'NULL')}",
        f"clEnqueueTask(queue, k, 0, 0, 0); {LAUNCH.format('global', 'NULL')}",
    ],
)
def test_what_is_not_understood_in_c_is_left(launch):
    with pytest.raises(UnclearError):
        native.changed(HOST.format(launch=launch), TILED, Path("a.c"))


TEXT = "__kernel void f(__global float *x) { x[get_global_id(0)] = 1; }"
USE = "p = cl.Program(c, text).build()\np.f(q, (n,), None, x)\n"


def test_a_refusal_names_the_line_of_the_file_as_it_is(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("p = build()\nk, other = p.f, p.g\nk(q, (n,), None, x)\n")
    launches = (Launched(grid=(8,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(path))
    with pytest.raises(UnclearError, match="line 2 "):
        find.changed(one, FLAT, {str(path): "# the winner\n" * 9 + path.read_text()})


@pytest.mark.parametrize(
    ("files", "path", "found"),
    [
        ({"a.py": USE}, "a.py", ["a.py"]),
        ({"a.py": USE, "b.py": USE}, "a.py", ["a.py"]),  # another program with a kernel of this name
        ({"a.py": USE, "b.py": f"import a\n{USE}"}, "a.py", None),
        ({"a.py": "p = build()\n", "b.py": USE}, "a.py", ["b.py"]),
        ({"a.py": "p = build()\n", "b.py": USE, "c.py": USE}, "a.py", None),
        ({"a.py": "p = build()\n"}, "a.py", None),
        ({"a": "ELF", "a.c": HOST.format(launch=LAUNCH.replace(" 2,", " 1,").format("g", "NULL"))}, "a", ["a.c"]),
        ({"a": "ELF", "a.c": HOST.format(launch=LAUNCH.format("g", "NULL"))}, "a", None),
    ],
)  # fmt: skip
def test_the_file_that_launches_is_found(tmp_path, files, path, found):
    tmp_path /= "project/build"  # a compiled program's sources may lie one folder above it
    tmp_path.mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    launches = (Launched(grid=(8,), group=None, arguments=()),)
    one = Captured(
        name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(tmp_path / path),
        native=path == "a",
    )  # fmt: skip
    if found is None:
        with pytest.raises(UnclearError):
            find.changed(one, FLAT, {})
        return
    made = find.changed(one, FLAT, {})
    assert [Path(home.path).name for home in made] == found
    assert all(home.before != home.after and find.lines(home, "f") for home in made)


@pytest.mark.parametrize(
    ("pinned", "other", "bound"),
    [(False, "", True), (True, "", True), (False, "run(p.f)\n", True), (False, "", False)],
)
def test_a_patch_changes_the_launch_with_the_text(tmp_path, pinned, other, bound):
    program, text = tmp_path / "a.py", f"text = '{TEXT}'\n{USE}{other}"
    program.write_text(text)
    one = Captured(
        name="f", entry="f", language="opencl", source="f.cl", path=str(program),
        launches=(Launched(grid=(8,), group=None, arguments=()),),
    )  # fmt: skip
    adoption = Adoption(
        language="opencl",
        entry="f",
        before=TEXT,
        after=TEXT,
        device="d",
        versions="v",
        steps=(4,),
        group=(8,),
        rounds=(bound,),
    )
    patch = Patch(
        path=str(program), before=text, after=text.replace("= 1", "= 2"), launches=("f: fewer",), adoption=adoption,
        asks=True,
    )  # fmt: skip
    made = with_host(patch, one, pinned=pinned)
    if pinned or other or not bound:
        assert (made.asks, made.after) == (True, patch.after)
        return
    assert (made.asks, made.host) == (False, ())
    assert "+p.f(q, ((n + 31) // 32 * 8,), (8,), x)" in made.diff
    assert made.launches == ("f: fewer; this diff changes its launch in a.py:3",)
    made.fitted.write()
    assert (made.applied, program.read_text()) == (True, made.after)


def test_a_launch_in_another_file_is_written_with_the_text_or_not_at_all(tmp_path, monkeypatch):
    text, host = tmp_path / "f.cl", tmp_path / "a.c"
    for file in (text, host):
        file.write_text("a\n")
    other = Change(path=str(host), before="a\n", after="b\n")
    patch = Patch(path=str(text), before="a\n", after="b\n", launches=(), host=(other,))
    assert patch.diff.count("+b") == 2
    put = Path.replace

    def failing(draft, place):
        if Path(place).name == "a.c" and Path(draft).read_text() == "b\n":
            raise OSError(28, "No space left on device")
        return put(draft, place)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(MachineError, match="No space"):
        patch.fitted.write()
    assert (text.read_text(), host.read_text(), len(list(tmp_path.iterdir()))) == ("a\n", "a\n", 2)
    monkeypatch.setattr(Path, "replace", put)
    host.write_text("c\n")
    assert not patch.stands
    with pytest.raises(UsageError, match="has changed"):
        patch.write()
    assert text.read_text() == "a\n"


@pytest.mark.parametrize(
    "source",
    [
        'void run(cl_kernel k) { L(q, k); }\nint main() { cl_kernel k = clCreateKernel(p, "f", 0); L(q, k); run(other); }',
        'cl_kernel k = clCreateKernel(p, "f", 0); L(q, k); k = g; L(q, k);',
        'cl_kernel k = clCreateKernel(p, "f", 0); L(q, k); mg(&k); L(q, k);',
        'cl_kernel ks[2]; ks[0] = clCreateKernel(p, "f", 0); L(q, ks[0]);',
        'a.k = clCreateKernel(p, "f", 0); b.k = make(); L(q, a.k);',
    ],
)
def test_a_variable_that_may_hold_another_kernel_is_left(source):
    full = re.sub(r"L\(q, ([\w.\[\]]+)\)", r"clEnqueueNDRangeKernel(q, \1, 1, NULL, &n, NULL, 0, NULL, NULL)", source)
    with pytest.raises(UnclearError):
        native.changed(full, FLAT, Path("a.c"))
