"""What may be opened at all."""

import os

import pytest

from hotloop.profilers.reading import read
from hotloop.profilers.source import look
from hotloop.profiles.failure import ProfileError


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ProfileError, match="not a regular file"):
        look(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["missing", "a\0b", "x" * 5000])
def test_paths_that_name_nothing(tmp_path, name):
    with pytest.raises(ProfileError, match="cannot be read"):
        read(tmp_path / name)


def test_a_device_and_an_empty_file(tmp_path, write):
    with pytest.raises(ProfileError, match="not a regular file"):
        read(type(tmp_path)("/dev/zero"))
    with pytest.raises(ProfileError, match="is empty"):
        read(write("empty.csv", b""))


def test_control_characters_of_a_name_are_spelled_out(write):
    with pytest.raises(ProfileError) as caught:
        read(write("a\x1b[2J\n.csv", "no profile"))
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("content", "says"), [
    (b"\x7fELF\x02\x01", "a code object"),
    (b"\x1f\x8b\x08\x00", "unpack"),
    (b"pmc: SQ_WAVES GRBM_COUNT\n", "input file of rocprof"),
    (b"# first\npmc : SQ_WAVES\n", "input file of rocprof"),
    (b"att: TARGET_CU=1\n", "input file of rocprof"),
    (b"CREATE TABLE x (a);\n", "SQL script"),
    (b'{"$schema": "x"}', "JSON schema"),
    (b"PERFILE2xxxx", "perf's binary record"),
    (b"a,b,c\n1,2,3\n", "columns belong to no known table"),
    (b"\x00\x01\x02\x03", "no known format"),
])  # fmt: skip
def test_what_is_no_profile_is_named(write, content, says):
    with pytest.raises(ProfileError, match=says) as caught:
        read(write("file", content))
    assert caught.value.exit_code == 2
