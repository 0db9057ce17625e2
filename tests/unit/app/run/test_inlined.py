"""Programs with the files that they include in their own text."""

from __future__ import annotations

from hotloop.app.run.lent.inlined import inlined
from hotloop.model.program import Program


def test_files_of_the_named_folders_stand_in_the_text(tmp_path):
    (tmp_path / "one.h").write_text('#include "two.h" // {\nint one;')
    (tmp_path / "two.h").write_text("int two;")
    source = '/* a */ #include "one.h"\n#  include <one.h>\n#include "none.h"\n#inc\\\nlude "two.h"\nint own;'
    for options in ((f"-I{tmp_path}",), ("-I", str(tmp_path))):
        made = inlined(Program("opencl", source.removeprefix("/* a */ "), options)).source
        assert made.split() == [
            "int",
            "two;",
            "int",
            "one;",
            "int",
            "two;",
            "int",
            "one;",
            "#include",
            '"none.h"',
            "int",
            "two;",
            "int",
            "own;",
        ]


def test_without_folders_or_lines_a_program_stays(tmp_path):
    for source, options in (('#include "one.h"', ()), ("int own; // text", (f"-I{tmp_path}",))):
        program = Program("opencl", source, options)
        assert inlined(program) is program
