"""Launches in strangers' hosts: changed where they are understood, and only there."""

import re
from pathlib import Path

import pytest

from hotloop.app.run.kept.adoption import Adoption
from hotloop.app.run.kept.change import Change
from hotloop.app.run.kept.patch import Patch, with_host
from hotloop.captures.hosts import find, native, python
from hotloop.captures.hosts.sizes import Sizes, UnclearError
from hotloop.captures.nouns import Captured, Given, Launched
from hotloop.errors import MachineError, UsageError

FLAT = Sizes("f", (4,), None)
TILED = Sizes("f", (4, 1), (8, 1))
GROUPED = Sizes("f", (1, 1), (16, 1))


BUILT = "p = cl.Program(c, text).build()\n"


@pytest.mark.parametrize(
    ("source", "sizes", "made"),
    [
        ("p.f(queue, (n,), None, x)", FLAT, "p.f(queue, ((n + 3) // 4,), None, x)"),
        ("p.f(\n  queue,\n  (h * 2, w),\n  None, x)", TILED, "p.f(\n  queue,\n  (((h * 2) + 31) // 32 * 8, w),\n  (8, 1), x)"),
        ("p.f(q, shape, None, x)", GROUPED,
         "p.f(q, tuple((size + by - 1) // by * group for size, by, group in zip(shape, (16, 1), (16, 1), strict=True)), (16, 1), x)"),
        ("k = p.f\nk.set_scalar_arg_dtypes([None])\nk(q, (n,), (l,), x)", FLAT,
         "k = p.f\nk.set_scalar_arg_dtypes([None])\nk(q, ((n + 3) // 4,), None, x)"),
        ("class A:\n  def __init__(self):\n    self.k = cl.Kernel(p, 'f')\n  def go(self):\n    self.k(q, (n,), None, x)", FLAT,
         "class A:\n  def __init__(self):\n    self.k = cl.Kernel(p, 'f')\n  def go(self):\n    self.k(q, ((n + 3) // 4,), None, x)"),
        ("getattr(p, 'f')(q, (n,), None, x)", FLAT, "getattr(p, 'f')(q, ((n + 3) // 4,), None, x)"),
        ("k = None\nk = p.f\nlog('p.f, k')\nk(q, (n,), None, x)", FLAT, "k = None\nk = p.f\nlog('p.f, k')\nk(q, ((n + 3) // 4,), None, x)"),
        ("k = p.f\ncl.enqueue_nd_range_kernel(q, k, (n,), None)", FLAT,
         "k = p.f\ncl.enqueue_nd_range_kernel(q, k, ((n + 3) // 4,), None)"),
        ("if a:\n  p.f(q, (n,), None, x).wait()\nelse:\n  p.f(q, (m,), None, x, wait_for=[e])", FLAT,
         "if a:\n  p.f(q, ((n + 3) // 4,), None, x).wait()\nelse:\n  p.f(q, ((m + 3) // 4,), None, x, wait_for=[e])"),
    ],
)  # fmt: skip
def test_launches_in_python_are_changed(source, sizes, made):
    assert python.changed(BUILT + source, sizes) == BUILT + made


@pytest.mark.parametrize("items", [1, 3, 31, 32, 33, 1000, 1024])
@pytest.mark.parametrize("sizes", [FLAT, Sizes("f", (4,), (8,)), Sizes("f", (1,), (16,))])
def test_as_many_work_items_remain_as_are_needed(items, sizes):
    import numpy as np

    ((_, size),) = sizes.pairs()
    for number in (items, np.uint32(items), np.int32(items), np.array([items])):
        whole = {"q": 0, "n": number, "p": type("P", (), {"f": staticmethod(lambda _q, w, _l: w)})}
        given = "n" if isinstance(number, np.ndarray) else "(n,)"
        made = python.changed(f"{BUILT}p.f(q, {given}, None)", sizes).removeprefix(BUILT)
        (left,) = eval(made, {**whole, "zip": zip, "tuple": tuple})
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
        "names = ['f', 'g']\np.f(q, (n,), None, x)",
        "k = p.f\nk.set_args(x)\ncl.enqueue_nd_range_kernel(q, k, (n,), None)",
        "L()\nfor each in p.all_kernels(): pass",
        "L()\nrun(p)",
        "L()\np = other",
        "L()\ndef go(p): L()",
        "image.f(q, (n,), None, x)",
        "def build():\n  global p\n  p = other\nL()",
        "class A:\n  def __init__(self): self.k = p.f\n  def go(self): self.k(q, (n,), None, x)\na.k(q, (n,), None, x)",
        "class A:\n  def __init__(self): self.k = p.f\nclass B:\n  def go(self): self.k(q, (n,), None, x)",
        "def one():\n  k = p.f\ndef other():\n  k(q, (n,), None, x)",
        *(f"k = p.f\nk(q, (n,), None, x)\n{other}" for other in (
            "def k(): pass", "class k: pass", "import k", "from a import b as k", "for k in ks: pass", "with a as k: pass",
            "try: pass\nexcept E as k: pass", "if (k := g): pass", "def go():\n  global k\n", "[0 for k in ks]",
            "match v:\n  case [k, _]: pass", "match v:\n  case [*k]: pass", "match v:\n  case {**k}: pass",
            "match v:\n  case [1] as k: pass", "globals()['k'] = g", "vars().update(k=g)", "del k", "k += 1", "k: int = g",
            "k, j = g", "j = k", "lambda k: 0", "a.k = g",
        )),
    ],
)  # fmt: skip
def test_what_is_not_understood_in_python_is_left(source):
    with pytest.raises(UnclearError):
        python.changed(BUILT + source.replace("L()", "p.f(q, (n,), None, x)"), FLAT)


HOST = """#include <CL/cl.h>
void go(cl_kernel other, const size_t *global) {{
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


def nine(source):
    """Return a source in which L(q, k) is a launch of one dimension."""
    return re.sub(r"L\(q, ([\w.\[\]>-]+)\)", r"clEnqueueNDRangeKernel(q, \1, 1, NULL, &n, NULL, 0, NULL, NULL)", source)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('#include "cl.h"\n#ifdef A\n#include "a.h"\n#endif\n', "{h}{b}"),
        ('#ifdef A\n#include "a.h"\n#else\n#include "b.h"\n#endif\n', "{h}{b}"),
        ('#ifdef A\n#include "a.h"\n#endif\n#include <b.h>\n', '#ifdef A\n#include "a.h"\n#endif\n{h}#include <b.h>\n'),
        ('/*\n#include "old.h"\n*/\nextern "C" {\n#include "c.h"\n}\n', "{h}{b}"),
        ('// a \\\n#include "no.h"\n#include "yes.h"\n', '// a \\\n#include "no.h"\n{h}#include "yes.h"\n'),
        ("#include <vector>\n#include <initializer_list>\n", "{b}"),
        ("#if A\n#include <initializer_list>\n#endif\n", "{h}{b}"),
    ],
)
def test_a_header_is_put_where_it_always_counts(before, after):
    rest = nine('int main() { size_t n = 8; cl_kernel k = clCreateKernel(p, "f", 0); L(q, k); }\n')
    made = native.changed(before + rest, FLAT, Path("a.cpp"))
    assert made.startswith(after.format(h="#include <initializer_list>\n", b=before))
    assert made.endswith(rest.replace("&n", "std::initializer_list<size_t>{((&n)[0] + 3) / 4}.begin()"))


ONE = 'cl_kernel k = clCreateKernel(p, "f", 0); L(q, k);'


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("#define NAME \"f\"\nvoid a() { cl_kernel k; k = clCreateKernel(p, NAME, 0); L(q, k); }", True),
        ("#ifdef A\n#define NAME \"f\"\n#else\n#define NAME \"g\"\n#endif\nvoid a() { cl_kernel k = clCreateKernel(p, NAME, 0); L(q, k); }", False),
        ("#ifndef NAME\n#define NAME \"f\"\n#endif\nvoid a() { cl_kernel k = clCreateKernel(p, NAME, 0); L(q, k); }", False),
        ("#define RUN clEnqueueNDRangeKernel\n" + ONE, False),
        ("#define RUN(n) \\\n L(q, k)\n" + ONE, False),
        (ONE + " (*launch)(q, k, 1);", False),
        (ONE + " fn = clEnqueueNDRangeKernel;", False),
        (ONE + " fn = &clCreateKernel;", False),
        ("#define k other\n" + ONE, False),
        ("#define HELD(x) x##k\n" + ONE, False),
        (ONE + " int c = L'\"'; k = clCreateKernel(p, \"g\", 0); puts(\"\");", False),
        (ONE + " int c = u8'\"'; m = 1'000'000; puts(\"\\\"\");", True),
        ("const char *s = R\"(kernel void f() { x = '\"'; } /* )\";\n" + ONE, True),
        ("const char *s = u8R\"x(cl_kernel k = clCreateKernel(p, \"g\", 0); )\" )x\";\n" + ONE, True),
        ("// one \\\nk = g;\n" + ONE, True),
        ("// what??/\nk = g;\n" + ONE, False),
        ("// one \\ \nk = g;\n" + ONE, False),
        (ONE + " clEnqueueNDRange\\\nKernel(q, k);", False),
        (ONE + " int a<:2:>;", False),
        (ONE + " h = clCreateKernel(p, \"f\" \"g\", 0);", False),
        (ONE + " h = make(p, \"f\");", False),
        (ONE + " h = clCreateKernel(p, name, 0);", False),
        (ONE + " S s = {clCreateKernel(p, \"g\", 0)};", False),
        (ONE + " g = k;", False),
        (ONE + " return k;", False),
        (ONE + " auto &r = k;", False),
        (ONE + " if (!k || k == NULL) return; clSetKernelArg(k, 0, 8, &a); clReleaseKernel(k); k = NULL;", True),
        (ONE.replace(" k", " s.k").replace("cl_kernel s.k", "s.k") + ' cl_kernel g = clCreateKernel(p, "g", 0); S t = {p, g}; L(q, t.k);', False),
        ("void go(cl_kernel g) { S t = {p, g}; L(q, t.k); } void m() { s.k = clCreateKernel(p, \"f\", 0); L(q, s.k); }", False),
        ("cl_kernel j, k; " + ONE.replace("cl_kernel k =", "j = k ="), False),
        ("cl_kernel k; " + ONE.replace("cl_kernel k =", "use(1, k =").replace("0);", "0));"), False),
        ("cl_kernel k; " + ONE.replace("cl_kernel k =", "return k ="), False),
        ("cl_kernel k; if ((k = clCreateKernel(p, \"f\", 0)) == NULL) return; L(q, k);", True),
        ("void mf(cl_kernel *k) { *k = clCreateKernel(p, \"f\", 0); }", False),
        ("struct S { cl_kernel g, k; }; void a(S *s) { CHECK((s->k = clCreateKernel(p, \"f\", 0), e)); CHECK(L(q, s->k)); }", True),
        ("s->k = clCreateKernel(p, \"f\", 0); t->k = clCreateKernel(p, \"g\", 0); L(q, s->k);", False),
    ],
)  # fmt: skip
def test_every_use_of_a_kernel_in_c_is_understood_or_it_is_left(source, made):
    full = nine(source)
    if not made:
        with pytest.raises(UnclearError):
            native.changed(full, FLAT, Path("a.cpp"))
        return
    assert native.changed(full, FLAT, Path("a.cpp")).endswith(
        full.replace("&n", "std::initializer_list<size_t>{((&n)[0] + 3) / 4}.begin()")
    )


TEXT = "__kernel void f(__global float *x) { x[get_global_id(0)] = 1; }"
USE = "p = cl.Program(c, text).build()\np.f(q, (n,), None, x)\n"
FILE = {"k.cl": TEXT}
MAIN = HOST.format(launch=LAUNCH.replace(" 2,", " 1,").format("&n", "NULL"))
GLOBAL = nine('#include "k.h"\ncl_kernel k;\nvoid a() { k = clCreateKernel(p, "f", 0); L(q, k); }\n')


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
        ({"a.py": USE, "b.py": f"text = open('k.cl').read()\n{USE}"}, "a.py", None),
        ({"a.py": "p = build()\n", "b.py": f"import a\n{USE}"}, "a.py", ["b.py"]),
        ({"a.py": "p = build()\n", "b.py": USE}, "a.py", None),
        ({"a.py": "p = build()\n", "b.py": f"import a\n{USE}", "c.py": f"import a\n{USE}"}, "a.py", None),
        ({"a.py": "p = build()\n"}, "a.py", None),
        ({"a.py": USE + "k = p.f\n", "b.py": "from a import k\nk(q, (n,), None, x)\n"}, "a.py", None),
        ({"a.py": USE, "b.py": "q = run('a' '.py')['p']\nq.f(q, (n,), None, x)\n"}, "a.py", None),
        ({"a.py": USE, "l.cl": TEXT.replace("= 1", "= 2")}, "a.py", None),
        ({"a.py": USE, "copy/k.cl": TEXT}, "a.py", ["a.py"]),
        ({"a.py": f"from b import text\n{USE}", "b.py": f"text = '{TEXT}'.replace('1', '2')\n"}, "a.py", None),
        ({"a": "ELF", "a.c": MAIN}, "a", ["a.c"]),
        ({"a": "ELF", "a.c": HOST.format(launch=LAUNCH.format("&n", "NULL"))}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "l.cl": TEXT.replace("= 1", "= 2")}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "b.c": MAIN}, "a", None),
        ({"a": "ELF", "a.h": MAIN, "b.c": '#include "a.h"\n'}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "b.c": '#include "a.c"\n'}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "b.c": nine("void b(cl_kernel k) { L(q, k); }")}, "a", ["a.c"]),
        ({"a": "ELF", "a.c": MAIN, "b.h": "#define RUN(q, k) clEnqueueNDRangeKernel(q, k)\n"}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "b.c": "make() { h = clCreateKernel(p, name, 0); }"}, "a", None),
        ({"a": "ELF", "a.c": MAIN, "b.c": "clCreateKernelsInProgram(p, 1, ks, 0);"}, "a", None),
        ({"a": "ELF", "a.c": GLOBAL, "k.h": "extern cl_kernel k;\n"}, "a", ["a.c"]),
        ({"a": "ELF", "a.c": GLOBAL, "k.h": nine("inline void b() { L(q, k); }\n")}, "a", None),
        ({"a": "ELF", "a.c": GLOBAL, "b.c": nine("extern cl_kernel k;\nvoid b() { L(q, k); }\n")}, "a", None),
        ({"a": "ELF", "a.c": f"static {GLOBAL[15:]}", "b.c": nine("extern cl_kernel k;\nvoid b() { L(q, k); }\n")}, "a", ["a.c"]),
        ({"a": "ELF", "a.c": MAIN, "CL/cl.h": "cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel);\n"}, "a", ["a.c"]),
    ],
)  # fmt: skip
def test_the_file_that_launches_is_found(tmp_path, files, path, found):
    tmp_path /= "project/build"  # a compiled program's sources may lie one folder above it
    tmp_path.mkdir(parents=True)
    for name, text in {**FILE, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    made = {str(tmp_path / "k.cl"): TEXT}
    launches = (Launched(grid=(8,), group=None, arguments=()),)
    one = Captured(
        name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(tmp_path / path),
        native=path == "a",
    )  # fmt: skip
    if found is None:
        with pytest.raises(UnclearError):
            find.changed(one, FLAT, made)
        return
    made = find.changed(one, FLAT, made)
    assert [Path(home.path).name for home in made] == found
    assert all(home.before != home.after and find.lines(home, "f") for home in made)


@pytest.mark.parametrize(
    ("pinned", "other", "bound", "grouped", "kind"),
    [
        (False, "", True, "", "array"),
        (True, "", True, "", "array"),
        (False, "run(p.f)\n", True, "", "array"),
        (False, "", False, "", "array"),
        (False, "", True, "int l = get_local_id(0);", "array"),
        (False, "", True, "", "local"),
    ],
)
def test_a_patch_changes_the_launch_with_the_text(tmp_path, pinned, other, bound, grouped, kind):
    before = TEXT.replace("{", f"{{{grouped}")
    program, text = tmp_path / "a.py", f"text = '{before}'\n{USE}{other}"
    program.write_text(text)
    one = Captured(
        name="f", entry="f", language="opencl", source="f.cl", path=str(program),
        launches=(Launched(grid=(8,), group=None, arguments=(Given(name="0", kind=kind),)),),
    )  # fmt: skip
    adoption = Adoption(
        language="opencl",
        entry="f",
        before=before,
        after=before,
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
    if pinned or other or not bound or grouped or kind == "local":
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
