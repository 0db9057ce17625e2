"""Where a changed text stands in the program's own file."""

import pytest

from hotloop.captures import folder as folders
from hotloop.captures import home
from hotloop.captures.nouns import Captured, Launched

FILE = """import triton
if True:
    @triton.jit
    def f(x):
        y = x + 1
        return y
"""
EXCERPT = """import triton

@triton.jit
def f(x):
    y = x + 1
    return y
"""


def placed(tmp_path, after):
    path = tmp_path / "kernels.py"
    path.write_text(FILE)
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="triton", source="f.py", launches=launches, path=str(path))
    return home.home(one, EXCERPT, after)


def test_lines_of_a_function_within_an_if_get_its_margin(tmp_path):
    made = placed(tmp_path, EXCERPT.replace("    y = x + 1\n", "    y = x\n    y += 1\n"))
    assert made.after == FILE.replace("        y = x + 1\n", "        y = x\n        y += 1\n")


@pytest.mark.parametrize(
    ("program", "source", "there"),
    [
        ("project/build/run", "project/k.cl", True),
        ("project/build/run", "project/src/k.cl", True),
        ("run", "k.cl", True),
        ("bin/run", "other/k.cl", False),
        ("run", "../somebody/k.cl", False),
    ],
)
def test_sources_of_a_compiled_program_are_its_projects(tmp_path, monkeypatch, program, source, there):
    own, text = tmp_path / "home" / "me", "__kernel void f() {\n}\n"
    monkeypatch.setenv("HOME", str(own))
    for path in (own / program, own / source):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if path.suffix else "ELF")
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(
        name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(own / program), native=True
    )
    assert (home.home(one, text, text.replace("f", "g")) is not None) == there


def test_added_lines_get_it_too(tmp_path):
    made = placed(tmp_path, EXCERPT.replace("    return y\n", "    return y\n\n\ndef g():\n    pass\n"))
    assert made.after == FILE + "\n\n    def g():\n        pass\n"


def test_a_file_that_has_other_lines_is_no_home(tmp_path):
    assert placed(tmp_path, EXCERPT.replace("x + 1", "x + 2")) is not None
    (tmp_path / "kernels.py").write_text(FILE.replace("x + 1", "x + 3"))
    one = Captured(
        name="f", entry="f", language="triton", source="f.py", path=str(tmp_path / "kernels.py"),
        launches=(Launched(grid=(1,), group=None, arguments=()),),
    )  # fmt: skip
    assert home.home(one, EXCERPT, EXCERPT.replace("x + 1", "x + 2")) is None


FORM = "#define SIZE %(size)d\n\n__kernel void other(__global int *x) { x[0] = SIZE; }\n\n__kernel void twice(__global float *x) {\n    int i = get_global_id(0);\n    x[i] *= 2;\n    x[i] += 1;\n    x[i] /= 3;\n}\n"


@pytest.mark.parametrize(
    ("new", "other", "found"),
    [
        ("    x[i] = (x[i] * 2 + 1) / 3;\n", "", True),
        ("    x[i] = x[i % 3];\n", "", False),
        ("    if (i) { x[i] *= 2; }\n", "", True),
        (
            "    if (i) { x[i] *= 2; }\n",
            "__kernel void g(__global int *x) {{ x[0] = {size}; }}\n",
            False,
        ),  # for `format`
    ],
)
def test_a_text_that_the_program_fills_in_is_changed_where_its_lines_stand(tmp_path, new, other, found):
    before = FORM.replace("%(size)d", "16")
    lines = "    x[i] *= 2;\n    x[i] += 1;\n    x[i] /= 3;\n"
    program = tmp_path / "p.py"
    program.write_text("open('k.cl').read() % {'size': 16}\n")
    (tmp_path / "k.cl").write_text(FORM + other)
    (tmp_path / "p.capture").mkdir()
    (tmp_path / "p.capture" / folders.INDEX).write_text("{}")
    (tmp_path / "p.capture" / "twice.cl").write_text(before)
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(
        name="twice", entry="twice", language="opencl", source="twice.cl", launches=launches, path=str(program)
    )
    made = home.home(one, before, before.replace(lines, new))
    assert (made is not None) == found
    if made is not None:
        assert made.path == str(tmp_path / "k.cl")
        assert made.after == FORM.replace(lines, new)


def test_a_text_in_a_module_of_its_own_is_found_from_the_one_that_builds_it(tmp_path):
    text = "\n__kernel void f(__global float *y) {\n    y[get_global_id(0)] = 1;\n}\n"
    (tmp_path / "kernels.py").write_text(f'FIRST = 1\nTEXT = r"""{text}"""\n')
    program = tmp_path / "device.py"
    program.write_text(
        "from kernels import TEXT\n\n\ndef go(program):\n    program.f(\n        queue, (n,), None, y)\n"
    )
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(program))
    made = home.home(one, text, text.replace("= 1", "= 2"))
    assert made is not None
    assert (made.path, "= 2;" in made.after) == (str(tmp_path / "kernels.py"), True)
    assert home.launches(tmp_path / "kernels.py", "f") == [f"{program}:5: program.f("]


def test_launches_of_a_host_in_c_are_those_of_the_files_that_name_the_kernel(tmp_path):
    (tmp_path / "main.c").write_text(
        'k = clCreateKernel(p, "f", &e);\nclEnqueueNDRangeKernel(q, k, 1, 0, &n, 0, 0, 0, 0);\n'
    )
    (tmp_path / "other.c").write_text("clEnqueueNDRangeKernel(q, k, 1, 0, &n, 0, 0, 0, 0);\n")
    (tmp_path / "f.cl").write_text("__kernel void f() {}")
    (found,) = home.launches(tmp_path / "f.cl", "f")
    assert found.startswith(f"{tmp_path / 'main.c'}:2: clEnqueueNDRangeKernel(")


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("../k.cl", True),
        ("../kernels/k.cl", True),
        ("../other.cl", False),
        ("../p.capture/k.cl", False),
    ],
)
def test_a_source_in_another_folder_is_found_where_the_program_names_it(tmp_path, named, found):
    text = "__kernel void f(__global float *y) {\n    y[get_global_id(0)] = 1;\n}\n"
    program = tmp_path / "python" / "run.py"
    for path in (program, tmp_path / "k.cl", tmp_path / "kernels" / "k.cl", tmp_path / "p.capture" / "k.cl"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "p.capture" / folders.INDEX).write_text("{}")
    program.write_text(f"source = open('{named}').read()\n")
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(program))
    made = home.home(one, text, text.replace("= 1", "= 2"))
    assert (made is not None and made.path) == (str((program.parent / named).resolve()) if found else False)
    assert ((program.parent / named).resolve() in home.sources(one)) == found


def test_an_indented_text_keeps_its_margin(tmp_path):
    head, own = (
        "    __kernel void f(__global float *y,\n            int n)\n    {\n",
        "        y[get_global_id(0)] = n;\n    }\n",
    )
    program = tmp_path / "p.py"
    program.write_text(f'TEXT = """\n{head}{own}"""\n')
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    one = Captured(name="f", entry="f", language="opencl", source="f.cl", launches=launches, path=str(program))
    won = head.replace("__kernel", "__kernel __attribute__((vec_type_hint(float4)))")
    won = won.replace("    {\n", "{\n") + "    int i = 4 * get_global_id(0);\n\n    vstore4(n, 0, y + i);\n}\n"
    made = home.home(one, f"\n{head}{own}", f"\n{won}")
    assert made is not None
    assert made.after.splitlines()[2:] == [
        "            int n)", "    {", "        int i = 4 * get_global_id(0);", "", "        vstore4(n, 0, y + i);", "    }", '"""',
    ]  # fmt: skip
