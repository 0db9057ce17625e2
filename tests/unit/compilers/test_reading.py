import io
import os
import re
import sys

import pytest

from hotloop.app.code import gate
from hotloop.app.interop import exchange
from hotloop.compilers import loading, reading
from hotloop.errors import HotloopError, UsageError


def test_ends_of_lines_and_a_mark_are_made_plain(tmp_path):
    (tmp_path / "a.cl").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert reading.text(tmp_path / "a.cl") == "one\ntwo\nthree\n"


def test_what_is_no_utf_8_is_told_or_replaced(tmp_path):
    (tmp_path / "a.cl").write_bytes(b"a\xffb")
    with pytest.raises(UnicodeDecodeError):
        reading.text(tmp_path / "a.cl")
    assert reading.text(tmp_path / "a.cl", "replace") == "a\ufffdb"


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.cl")
    with pytest.raises(OSError, match=re.escape("it is no regular file")):
        reading.content(tmp_path / "a.cl")


def test_a_pipe_that_the_shell_opened_is_read():
    reader, writer = os.pipe()
    os.write(writer, b"text")
    os.close(writer)
    path = reading.Path(f"/dev/fd/{reader}")
    assert reading.content(path) == b"text"
    os.close(reader)


@pytest.mark.parametrize("name", ["", "nothing.cl"])
def test_folders_and_files_that_are_not_there_are_told_as_reading_tells_them(tmp_path, name):
    with pytest.raises((IsADirectoryError, FileNotFoundError)):
        reading.content(tmp_path / name)


def test_what_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "a.cl").open("wb") as file:
        file.truncate(reading.SOURCE_BYTES + 1)
    with pytest.raises(OSError, match="it is larger than 8 MiB"):
        reading.text(tmp_path / "a.cl", most_bytes=reading.SOURCE_BYTES)


def test_standard_input_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"y\n" * 1024)))
    with pytest.raises(UsageError, match="more than 0 MiB, perhaps without an end"):
        reading.standard_input(2047)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"y\n" * 1024)))
    assert len(reading.standard_input(2048)) == 2048


@pytest.mark.parametrize(
    "read",
    [exchange._text, gate.limits_of, loading.load],
    ids=["imported results", "limits", "a kernel file"],
)
def test_what_is_no_text_is_said_without_words_of_codecs(tmp_path, read):
    path = tmp_path / "file.py"
    path.write_bytes(b"n = 1 # \x80\n")
    with pytest.raises(HotloopError, match="it is no text in UTF-8: byte 9 is 0x80") as refused:
        read(path)
    assert "codec" not in str(refused.value)
