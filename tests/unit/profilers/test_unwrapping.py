"""What stands around a tool's output: each form is read as the output alone is."""

import bz2
import csv
import gzip
import html
import io
import json
import lzma
import tarfile
import zipfile

import pytest

from hotloop.profilers import unwrapping
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

TRACE = """"Kind","Agent_Id","Dispatch_Id","Kernel_Name","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Grid_Size_X"
"KERNEL_DISPATCH","Agent 4",1,"void scale<float>(float*, int)",1000,3500,64,1024
"KERNEL_DISPATCH","Agent 4",2,"void scale<float>(float*, int)",5000,7500,64,1024
"""
PAGE = """  saxpy<float>(float, const float *) (4096, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6
    Section: GPU Speed Of Light Throughput
    ----------------------- ----------- ------------
    Metric Name             Metric Unit Metric Value
    ----------------------- ----------- ------------
    DRAM Throughput                   %        93.10
    Duration                         us       899.80
    ----------------------- ----------- ------------
"""
MAIL = """> {"counter-value" : "76.000000", "unit" : "", "event" : "page-faults"}
> {"counter-value" : "48433482.000000", "unit" : "", "event" : "cycles", "e=
vent-runtime" : 225903792732, "pcnt-running" : 100.00}
> {"counter-value" : "38620409.000000", "unit" : "", "event" : "instruction=
s", "event-runtime" : 225903657830, "pcnt-running" : 100.00}
"""


def rows():
    return list(csv.reader(io.StringIO(TRACE)))


def zipped(data):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("trace.csv", data)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped])
def test_packed(tmp_path, pack):
    path = tmp_path / "trace.csv.packed"
    path.write_bytes(pack(TRACE.encode()))
    profile = read(path)
    assert (profile.source, profile.kernels[0].duration_ns.total) == ("trace.csv.packed", 5000)


@pytest.mark.parametrize("form", [
    TRACE.replace('","', '"\t"').replace('",', '"\t').replace(',"', '\t"').replace("00,", "00\t").replace("64,", "64\t"),
    "\n".join(";".join(row) for row in rows()),
    "# Notes\n\nThe trace, of a run on Friday:\n\n```csv\n# trace.csv\n" + TRACE + "```\n\nIt is slow, is it not, and, well, why?\n",
    "int main() {\n" + "".join(f"// {line}\n" for line in TRACE.splitlines()) + "return 0; }\n",
    "".join(f"+{line}\n" for line in ("++ b/trace.csv", *TRACE.splitlines())),
    "".join(f"{n:3} | {line}\n" for n, line in enumerate(TRACE.splitlines(), 9)),
    "".join(f"{n} {line}".rstrip() + "\n" for n, line in enumerate(["", *TRACE.splitlines()], 9)),
    json.dumps([{"step": 1}, {"result": {"stdout": f"done\n{TRACE}"}}]),
    "| " + " |\n| ".join(" | ".join(row) for row in [rows()[0], ["---"] * 8, *rows()[1:]]) + " |\n",
    "<html><body><p>Kernels</p><table class='t'>" + "".join(
        "<tr><td>" + "</td><td>".join(map(html.escape, row)) + "</td></tr>\n" for row in rows()
    ) + "</table></body></html>",
], ids=["tabs", "semicolons", "fence", "comments", "patch", "numbers", "spaces", "json", "markdown", "html"])  # fmt: skip
def test_tables(tmp_path, form):
    path = tmp_path / "given.txt"
    path.write_text(form)
    kernel = read(path).kernels[0]
    assert (kernel.kernel, kernel.dispatches, kernel.duration_ns.total) == ("void scale<float>(float*, int)", 2, 5000)


@pytest.mark.parametrize("form", [
    "".join(f"\x1b[32m{line}\x1b[0m\r\n" for line in PAGE.splitlines()),
    f"<html><body><h1>Run</h1><pre><code>{html.escape(PAGE)}</code></pre></body></html>",
    "+++ b/page.txt\n" + "".join(f"+{line}\n" for line in PAGE.splitlines()),
    "".join(f"2026-05-01T10:00:00.1234567Z {line}\n" for line in PAGE.splitlines()),
    "".join(f"[rank0]: {line}\n" for line in PAGE.splitlines()),
    json.dumps({"cells": [{"outputs": [{"text": PAGE.splitlines(keepends=True)}]}]}),
], ids=["colours", "html", "patch", "times", "ranks", "notebook"])  # fmt: skip
def test_pages(tmp_path, form):
    path = tmp_path / "given.txt"
    path.write_text(form)
    kernel = read(path).kernels[0]
    assert (kernel.kernel, kernel.duration_ns.total) == ("saxpy<float>(float, const float *)", 899800)


def test_a_folded_mail(tmp_path):
    path = tmp_path / "mail.txt"
    path.write_text(MAIL)
    profile = read(path)
    assert [(r.event, r.value) for r in profile.readings] == [
        ("page-faults", 76),
        ("cycles", 48433482),
        ("event-runtime", 225903792732),
        ("instructions", 38620409),
    ]
    assert "folded lines of a mail were put together" in profile.notes


@pytest.mark.parametrize(("data", "words"), [
    (gzip.compress(TRACE.encode())[:-20], "cannot be unpacked"),
    (gzip.compress(b"nothing of a profiler"), "no profile that hotloop can read"),
    (zipped(TRACE)[:-30], "cannot be unpacked"),
    (gzip.compress(TRACE.encode())[:10] + b"\xff" * 40, "cannot be unpacked"),
], ids=["cut-gzip", "other-gzip", "cut-zip", "damaged-gzip"])  # fmt: skip
def test_what_is_packed_and_no_profile_is_refused(tmp_path, data, words):
    path = tmp_path / "given.gz"
    path.write_bytes(data)
    with pytest.raises(ProfileError, match=words):
        read(path)


def test_several_files_and_bombs_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "given.zip"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(__file__)
    with pytest.raises(ProfileError, match="is an archive: unpack"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", TRACE)
        archive.writestr("b.csv", TRACE)
    with pytest.raises(ProfileError, match="archive of 2 files"):
        read(path)
    monkeypatch.setattr(unwrapping, "UNPACKED_BYTES", 100)
    path.write_bytes(gzip.compress(TRACE.encode()))
    with pytest.raises(ProfileError, match="unpack it"):
        read(path)


def test_counts_in_the_comments_of_a_source_file(tmp_path):
    """The file is known by a line that stands in a comment; read as it is, it has no event."""
    path = tmp_path / "features.jl"
    path.write_text(
        "module Features\n\nusing Printf\n# Loading of the data\n#\n#  Performance counter stats for 'system wide':\n#\n"
        "# 13,613,969,087,148      cycles                    #    1.418 GHz                      (39.99%)\n"
        "# 13,648,607,135,453      stalled-cycles-frontend   #  100.25% frontend cycles idle     (49.99%)\n"
        "# 11,870,389,799,395      instructions              #    0.87  insn per cycle\n#\n#      300.052759769 seconds time elapsed\n\nend\n"
    )
    profile = read(path)
    assert {reading.event for reading in profile.readings} >= {"cycles", "instructions", "seconds time elapsed"}
    assert profile.notes[-1].startswith("commented lines of a page")
