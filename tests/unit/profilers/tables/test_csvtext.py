"""Tables: what is repaired, what is refused."""

import pytest

from hotloop.profilers.tables.csvtext import table
from hotloop.profiles.failure import ProfileError


def rows(path):
    with table(path) as opened:
        return opened.columns, list(opened.rows), opened.notes


def test_blank_lines_and_a_missing_line_end_are_no_rows(write):
    columns, found, notes = rows(write("t.csv", '\n"a","b"\n\n1,2\n\n3,"x, y"'))
    assert columns == ("a", "b")
    assert found == [["1", "2"], ["3", "x, y"]]
    assert not notes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(write, encoding):
    text = "Name,Value\nk\u00e9rnel,1\n" * 1 + "other_kernel_name,2\n"
    assert rows(write("t.csv", text.encode(encoding)))[1] == [["kérnel", "1"], ["other_kernel_name", "2"]]


def test_bytes_that_are_no_utf8_are_read_as_latin(write):
    assert rows(write("t.csv", b"Name,Value\nk\xe9rnel,1\n"))[1] == [["kérnel", "1"]]


def test_a_cut_last_row_is_left_out_and_noted(write):
    _, found, notes = rows(write("t.csv", "a,b,c\n1,2,3\n4,5"))
    assert found == [["1", "2", "3"]]
    assert "line 3" in notes[0]


def test_a_repeated_header_is_left_out_and_noted(write):
    _, found, notes = rows(write("t.csv", "a,b\n1,2\na,b\n3,4\n"))
    assert found == [["1", "2"], ["3", "4"]]
    assert "repeated" in notes[0]


def test_an_empty_cell_too_many_is_dropped(write):
    assert rows(write("t.csv", "a,b\n1,2,\n"))[1] == [["1", "2"]]


@pytest.mark.parametrize(("content", "says"), [
    ("a,b\n1,2\n1,2,3\n4,5\n", "line 3 has 3 cells"),
    ("a,b\n1,2\n1\n4,5\n", "line 3 has 1 cells"),
    ("a,b\n" + "x" * 200_000 + ",1\n", "field larger"),
    ("a,b\n" + "x" * 9_000_000, "Mi characters"),
    ("\n\n\n", "no header"),
    (",".join(f"c{i}" for i in range(100_001)) + "\n", "columns"),
])  # fmt: skip
def test_damage_is_named(write, content, says):
    with pytest.raises(ProfileError, match=says):
        rows(write("t.csv", content))
