"""What a source leans on is looked for in its folder."""

from __future__ import annotations

import os

from hotloop.app.bare.missing import hint


def test_the_folder_of_a_header_below_the_source_is_named(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "types.h").write_text("typedef float real;")
    told = hint("fatal error: 'types.h' file not found", tmp_path / "kernel.cl")
    assert f"--build-option -I{tmp_path.resolve() / 'deep'}" in told
    assert "-IFOLDER" in hint("fatal error: 'other.h' file not found", tmp_path / "kernel.cl")


def test_the_text_that_defines_a_type_is_named_where_there_is_one(tmp_path):
    (tmp_path / "doubled.cl").write_text("typedef struct { float a, b; } pair;\nfloat twice(float x) { return 2 * x; }")
    (tmp_path / "user.cl").write_text("float f(pair *x) { return twice(x->a); }")
    (tmp_path / "folder.cl").mkdir()
    (tmp_path / "nowhere.h").symlink_to("absent.h")
    os.mkfifo(tmp_path / "pipe.h")
    for name in ("pair", "twice"):
        assert "the text of doubled.cl, which has it," in hint(f"unknown type name '{name}'", tmp_path / "kernel.cl")
    assert "the source that has it" in hint("unknown type name 'absent'", tmp_path / "kernel.cl")


def test_a_text_of_a_later_version_names_it(tmp_path):
    told = "initializing '__private float *' with an expression of type '__global float *' changes address space of pointer"
    assert "--build-option -cl-std=CL2.0" in hint(told, tmp_path / "kernel.cl")


def test_a_name_that_the_text_makes_of_a_macro_is_told_by_the_macro(tmp_path):
    """It was told as a type that the host program defines, which no -D can mend."""
    (tmp_path / "wide.cl").write_text(
        "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\ntypedef JOIN(float, VW) V;"
    )
    told = hint("unknown type name 'floatVW'", tmp_path / "wide.cl")
    assert told == "; the text makes floatVW of VW, which nothing defines: give it, e.g. --size VW=4"
    assert "host program" in hint("unknown type name 'real'", tmp_path / "wide.cl")
