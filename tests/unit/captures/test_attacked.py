"""Files into which a winner must not go, or not so: nothing is written into a wrong place, and what is written says what won."""

import ast

import pytest

from hotloop.captures import home
from hotloop.captures.nouns import Captured, Launched

TEXT = "__kernel void f(__global float *x) {\n    int i = get_global_id(0);\n    x[i] *= 2;\n    x[i] += 1;\n    x[i] /= 3;\n}\n"
CHANGED = TEXT.replace("    x[i] *= 2;\n", "    float v = x[i];\n    v *= 2;\n    x[i] = v;\n")
SHORTER = TEXT.replace("    x[i] *= 2;\n    x[i] += 1;\n    x[i] /= 3;\n", "    x[i] = (x[i] * 2 + 1) / 3;\n")
LINE = "__kernel void f(__global float *x) { x[get_global_id(0)] *= 2; }"
OTHER = TEXT.replace("void f(", "void g(")


def homes(folder, files, before=TEXT, after=CHANGED, **fields):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    launches = (Launched(grid=(1,), group=None, arguments=()),)
    whole = {"language": "opencl", "source": "f.cl", "launches": launches, "path": str(folder / "p.py"), **fields}
    return home.home(Captured(name="f", entry="f", **whole), before, after)


@pytest.mark.parametrize(
    ("files", "before", "after"),
    [
        # a string of one line cannot hold several
        ({"p.py": f'import cl\ncl.Program(c, "{LINE}")\n'}, LINE, LINE.replace("{ ", "{\n ")),
        # braces of a form that is filled in: a lone one is no text any more
        (
            {"p.py": f'N = 4\nT = f"""#define N {{N}}\n{TEXT.replace("{", "{{").replace("}", "}}")}"""\n'},
            f"#define N 4\n{TEXT}",
            f"#define N 4\n{TEXT}".replace("}\n", "}\n__kernel void h() {\n}\n"),
        ),
        (
            {"p.py": "".join(f'{n} = f"""\n{{HEAD}}\nif (a) {{{{\nx();\n}}}}\ny();\nz();\n"""\n' for n in "A")},
            "\n1\nif (a) {\nx();\n}\ny();\nz();\n",
            "\n1\nif (a) {\nx();\n}}\ny(1);\nz(1);\n",
        ),
        # two texts hold the lines, in one file or in two
        ({"p.py": f'N = 4\nA = """{TEXT}"""\nB = """{TEXT}//"""\n'}, TEXT, CHANGED),
        ({"p.py": "open(sys.argv[1])\n", "a.cl": TEXT, "b.cl": TEXT}, TEXT, CHANGED),
        # the lines of another kernel
        ({"p.py": f'N = 4\nA = """{OTHER}"""\nB = make()\n'}, f"#define M\n{TEXT}", f"#define M\n{SHORTER}"),
        ({"p.py": "make()\n", "g.cl": OTHER}, f"#define M\n{TEXT}", f"#define M\n{SHORTER}"),
    ],
)  # fmt: skip
def test_a_file_is_left_alone(tmp_path, files, before, after):
    assert homes(tmp_path, files, before, after) is None


def test_of_several_copies_the_one_that_the_program_names_is_its_own(tmp_path):
    files = {"p.py": "open('src/f.cl').read()\n", "f_old.cl": TEXT, "src/f.cl": TEXT, "src/g.cl": TEXT}
    assert homes(tmp_path, files).path == str(tmp_path / "src" / "f.cl")


def test_a_text_of_bytes_that_are_no_utf_8_keeps_them(tmp_path):
    made = homes(tmp_path, {"p.py": "open('f.cl')\n", "f.cl": f"// f\xfcr\n{TEXT}".encode("latin-1")})
    assert made.after.encode("utf-8", "surrogateescape") == f"// f\xfcr\n{CHANGED}".encode("latin-1")


def test_a_python_file_of_another_encoding_keeps_its_bytes(tmp_path):
    source = f'# -*- coding: latin-1 -*-\nname = "f\xfcr"; T = """{TEXT}"""\n'
    made = homes(tmp_path, {"p.py": source.encode("latin-1")})
    assert made.after.encode("utf-8", "surrogateescape") == source.replace(TEXT, CHANGED).encode("latin-1")


def test_a_text_with_carriage_returns_is_found_in_its_file(tmp_path):
    crlf = [text.replace("\n", "\r\n") for text in (TEXT, CHANGED)]
    made = homes(tmp_path, {"p.py": "open('f.cl', newline='')\n", "f.cl": crlf[0]}, *crlf)
    assert (made.before, made.after) == (TEXT, CHANGED)


@pytest.mark.parametrize("mark", ["\x0c", "\u2028", "\x1c", "\x85"])
def test_lines_end_where_python_says(tmp_path, mark):
    own = "@triton.jit\ndef f(x):\n    y = x + 1\n    return y\n"
    source = f'import triton\n{mark if mark == chr(12) else ""}\nT = "a{mark}b"\n{own}'
    excerpt = f"import triton\n\n\n{own}"
    made = homes(
        tmp_path, {"p.py": source}, excerpt, excerpt.replace("x + 1", "x + 2"), language="triton", source="f.py"
    )
    assert made.after == source.replace("x + 1", "x + 2")
    ast.parse(made.after)
