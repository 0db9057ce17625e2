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
    (b"timestamp,gpu,gfx_activity,umc_activity\n1,0,95,80\n", "log of a device's state"),
    (b"gpu,gfx,gfx_clock,mem,power_usage\n0,98,2100,40,700\n", "log of a device's state"),
    (b"timestamp, index, power.draw [W]\n2026/01/01, 0, 187.80 W\n", "log of a device's state"),
    (b"# Overhead  Command  Shared Object      Symbol\n    81.42%  a  a  [.] f\n", "report of perf"),
    (b"Function,Module,CPU Time\nf,solver,2.5\n", "list of hotspots"),
    (b"ID,Function Call Sites and Loops,Total Time\n1,[loop in f],1s\n", "survey of Intel Advisor"),
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


MAIL = " Performance counter stats for 'bench' (10 runs):\n\n  1.104.727.599.918      cycles      #    2,376 GHz\n    340.133.571.519      instructions\n\n  17,0820 seconds time elapsed\n"


@pytest.mark.parametrize("mark", ["> ", "| ", "//", "> > ", "> | "])
def test_quoted_text_is_read_without_its_marks(write, mark):
    """Messages quote each line, and sources carry outputs in comments."""
    path = write("quoted.txt", "".join(mark + line for line in MAIL.splitlines(keepends=True)))
    values = {reading.event: reading.value for reading in read(path).readings}
    assert values["cycles"] == 1104727599918
    assert values["instructions"] == 340133571519


def test_the_margin_of_a_drawn_table_is_no_quotation(write):
    table = "| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n"
    assert look(write("table.txt", table)).text == table


TABLE = """"Kind","Agent_Id","Queue_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 1",1,1,1,"gpuHello()",1,143195244785252,143195244890532
"""


@pytest.mark.parametrize(
    "before",
    ["me@machine:~/work$ cat ./out/38816_kernel_trace.csv \n", "$ cat kernel_trace.csv\n\n", "    $ cat trace.csv\n\n"],
)
def test_a_table_is_read_behind_the_prompt_that_showed_it(write, before):
    margin = before[: len(before) - len(before.lstrip())]
    path = write("shown.txt", before + "".join(margin + line for line in TABLE.splitlines(keepends=True)))
    (kernel,) = read(path).kernels
    assert (kernel.kernel, kernel.duration_ns.total) == ("gpuHello()", 105280)


def test_pasted_counters_do_not_take_the_fast_way(write):
    """It reads the file's bytes, marks included."""
    rows = (
        "Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value,Correlation_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size\n"
        + "".join(f"{n},k,SQ_WAVES,4,{n},1,1,1,1,256\n" for n in range(1, 5))
    )
    (kernel,) = read(write("pasted.csv", "".join("> " + line for line in rows.splitlines(keepends=True)))).kernels
    assert kernel.counters["SQ_WAVES"].mean == 4
