"""A capture's folder: what was written is read, what is truncated or foreign is one sentence, what stood in a program is found there."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest

from hotloop.captures import folder as folders
from hotloop.captures.home import home
from hotloop.captures.merge import Merged
from hotloop.captures.nouns import Capture, Captured, Given, Launched
from hotloop.errors import UnknownNameError, UsageError

ARRAY = Given(
    name="0", kind="array", dtype="float32", shape=(4,), strides=(1,), size=16, values="values/1-1.bin", whole=True
)
LAUNCH = Launched(grid=(4,), group=None, arguments=(ARRAY,), calls=3, times_ns=(90.0, 10.0, 20.0))
KERNEL = Captured(name="twice", entry="twice", language="opencl", source="twice.cl", launches=(LAUNCH,))
CAPTURE = Capture(
    command=("python", "p.py"), folder="/", made="2026-11-23T00:00:00", tool="0.1.0", returncode=0, ended="itself", wall_s=1.0,
    recording_s=0.0, processes=1, cut=0, kernels=(KERNEL,),
)  # fmt: skip
TEXT = "__kernel void twice(__global float *x) {\n    x[get_global_id(0)] *= 2;\n}\n"


@pytest.fixture
def kept(tmp_path):
    (tmp_path / "values").mkdir()
    (tmp_path / "values" / "1-1.bin").write_bytes(np.arange(4, dtype="f4").tobytes())
    (tmp_path / "twice.cl").write_text(TEXT)
    folders.write(tmp_path, CAPTURE)
    return tmp_path


def test_what_was_written_is_read(kept):
    found = folders.read(kept)
    assert found == CAPTURE
    assert folders.is_capture(kept)
    assert folders.kernel(kept, found, "") == folders.kernel(kept, found, "twice") == KERNEL
    assert folders.text(kept, KERNEL) == TEXT
    np.testing.assert_array_equal(folders.values(kept, ARRAY), np.arange(4, dtype="f4"))
    assert KERNEL.main.call_ns == 15.0, "the first launch may compile"
    assert KERNEL.total_ns == 45.0


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"arguments": (replace(ARRAY, kind="other", text="an image"),)}, "its argument 0 is an image, which is not given again yet"),
        ({"arguments": (replace(ARRAY, kind="other", text="Strange"),)}, "nothing is known of its argument 0 (Strange)"),
        ({"offset": (0, 4)}, "it is launched with a global offset (0, 4)"),
    ],
)  # fmt: skip
def test_the_kernel_of_a_capture_is_the_most_expensive_one_that_can_be_launched_again(kept, changed, sentence):
    first = replace(KERNEL, name="costly", launches=(replace(LAUNCH, **changed),))
    capture = replace(CAPTURE, kernels=(first, KERNEL))
    assert first.obstacle == sentence
    assert folders.kernel(kept, capture, "") is KERNEL
    assert folders.kernel(kept, capture, "costly") is first
    assert folders.kernel(kept, replace(capture, kernels=(first,)), "") is first


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda at: (at / "capture.json").unlink(), "was cut off before it ended"),
        (lambda at: (at / "capture.json").write_bytes(b"\xff\xfe"), "its capture.json is no text"),
        (
            lambda at: ((at / "capture.json").unlink(), (at / "capture.json").mkdir()),
            "capture.json cannot be read .Is a directory",
        ),
        (lambda at: (at / "capture.json").write_text("{"), "no index of a capture, or truncated"),
        (lambda at: (at / "capture.json").write_text('{"format": "notes", "version": 1}'), "no index of a capture"),
        (lambda at: (at / "capture.json").write_text("[]"), "no index of a capture"),
        (lambda at: _changed(at, version=7), "format 7, this hotloop reads 1"),
        (lambda at: _changed(at, kernels=[{}]), "lacks what a capture has"),
    ],
)
def test_a_truncated_or_foreign_folder_is_a_sentence(kept, harm, sentence):
    harm(kept)
    with pytest.raises(UsageError, match=sentence):
        folders.read(kept)


def _changed(at, **fields):
    path = at / "capture.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_missing_and_short_files_are_sentences(kept):
    (kept / "values" / "1-1.bin").write_bytes(b"1234")
    with pytest.raises(UsageError, match="has 4 B, not 16; capture the program again"):
        folders.values(kept, ARRAY)
    (kept / "values" / "1-1.bin").unlink()
    with pytest.raises(UsageError, match=r"1-1\.bin is missing"):
        folders.values(kept, ARRAY)
    (kept / "twice.cl").unlink()
    with pytest.raises(UsageError, match=r"twice\.cl is missing"):
        folders.text(kept, KERNEL)
    (kept / "twice.cl").mkdir()
    with pytest.raises(UsageError, match=r"twice\.cl cannot be read \(Is a directory\)"):
        folders.text(kept, KERNEL)
    with pytest.raises(UnknownNameError, match="did you mean twice"):
        folders.kernel(kept, CAPTURE, "twise")
    with pytest.raises(UsageError, match="launched none"):
        folders.kernel(kept, replace(CAPTURE, kernels=()), "")
    assert folders.values(kept, replace(ARRAY, values="")) is None


ROW = {
    "kind": "kernel", "number": 0, "language": "opencl", "entry": "twice", "text": TEXT, "options": [], "path": "p.py",
    "line": 3, "digest": "", "interpreted": False, "device": "cpu", "versions": "1",
}  # fmt: skip
SEEN = {"kind": "launch", "kernel": 0, "place": 0, "grid": [4], "group": None, "arguments": []}
SPENT = {"kind": "spent", "host_ns": 3_000_000_000}
COUNT = {"kind": "count", "kernel": 0, "place": 0, "calls": 2, "times_ns": [5, 7], "host_ns": 10, "threads": 1}


def test_processes_are_put_together_and_cut_lines_are_left_out(tmp_path):
    for process, ended in ((1, True), (2, False)):
        rows = [{"kind": "begun"}, ROW, SEEN, COUNT, *([{"kind": "ended"}] if ended else [])]
        text = "\n".join(map(json.dumps, rows)) + ("\n" if ended else '\n{"kind": "cou')
        (tmp_path / f"seen-{process}.jsonl").write_text(text)
    merged = Merged(tmp_path)
    assert (merged.processes, merged.cut) == (2, 1)
    (found,) = merged.kernels
    assert (found.name, found.calls, found.launches[0].times_ns) == ("twice", 4, (5, 7, 7))
    assert (tmp_path / "twice.cl").read_text() == TEXT


def test_lines_end_where_the_recorder_ended_them(tmp_path):
    """The layer writes characters as they are: some end a line for Python, and a cut may go through one."""
    text = TEXT + "// \u2028 \x85 é\n"
    rows = [json.dumps(row, ensure_ascii=False).encode() for row in ({**ROW, "text": text}, SEEN, COUNT)]
    (tmp_path / "seen-1.jsonl").write_bytes(b"\n".join([*rows, '{"kind": "failed", "text": "é'.encode()[:-1]]))
    merged = Merged(tmp_path)
    assert [one.calls for one in merged.kernels] == [2]
    assert (tmp_path / "twice.cl").read_text() == text


def test_a_text_with_lines_of_windows_is_what_the_program_launched(tmp_path):
    rows = [{**ROW, "text": TEXT.replace("\n", "\r\n")}, SEEN, COUNT]
    (tmp_path / "seen-1.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (found,) = Merged(tmp_path).kernels
    assert folders.text(tmp_path, found) == TEXT


def test_launches_of_several_processes_that_begin_elsewhere_stay_apart(tmp_path):
    for process, offset in ((1, []), (2, [64]), (3, [0])):
        rows = [ROW, {**SEEN, "offset": offset}, COUNT]
        (tmp_path / f"seen-{process}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (found,) = Merged(tmp_path).kernels
    assert [(one.offset, one.calls) for one in found.launches] == [((), 4), ((64,), 2)]


def test_what_is_compiled_for_the_recorder_alone_is_time_of_recording(tmp_path):
    (tmp_path / "seen-1.jsonl").write_text("\n".join(map(json.dumps, [SPENT, ROW, SEEN, COUNT])))
    assert Merged(tmp_path).recording_s == pytest.approx(3.0 + 10e-9)


def test_a_kernel_without_a_finished_launch_is_told(tmp_path):
    rows = [ROW, SEEN, {**COUNT, "calls": 0, "times_ns": []}]
    (tmp_path / "seen-1.jsonl").write_text("\n".join(map(json.dumps, rows)))
    merged = Merged(tmp_path)
    assert merged.kernels == []
    assert merged.problems == ["no launch of twice came to its end"]


def test_a_text_is_found_in_a_string_of_the_program(tmp_path):
    program = tmp_path / "p.py"
    program.write_text(f'import pyopencl\n\nTEXT = """\n{TEXT}"""\nprint("twice")\n')
    captured = replace(KERNEL, path=str(program))
    after = TEXT.replace("*= 2", "+= x[0]")
    found = home(captured, f"\n{TEXT}", f"\n{after}")
    assert found.after == program.read_text().replace("*= 2", "+= x[0]")
    assert home(captured, TEXT.replace("2", "3"), after) is None, "it does not stand there"


def test_a_text_is_found_in_a_file_beside_the_program(tmp_path):
    (tmp_path / "p.py").write_text("open('k.cl')\n")
    (tmp_path / "k.cl").write_text(TEXT)
    found = home(replace(KERNEL, path=str(tmp_path / "p.py")), TEXT, TEXT.replace("2", "4"))
    assert (found.path, found.after) == (str(tmp_path / "k.cl"), TEXT.replace("2", "4"))


def test_a_large_folder_of_a_program_is_not_walked_whole(tmp_path, monkeypatch):
    (tmp_path / "p.py").write_text("open('kernels/k.cl')\n")
    for number in range(40):
        (tmp_path / f"other{number:02}" / "inner" / "more").mkdir(parents=True)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "k.cl").write_text(TEXT)
    (tmp_path / "other39" / "loop").symlink_to(tmp_path)
    listed, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: listed.append(folder) or scan(folder))
    program = replace(KERNEL, path=str(tmp_path / "p.py"))
    assert home(program, TEXT, TEXT.replace("2", "4")).path.endswith("kernels/k.cl"), "the nearest folders come first"
    assert len(listed) <= 100
    assert home(program, TEXT.replace("2", "3"), TEXT) is None, "what stands nowhere"


def test_an_excerpt_of_python_is_changed_line_by_line(tmp_path):
    rows = ["import os", "", "def f(x):", "    y = exp(x)", "    return y", "", "print(f(1))"]
    program = tmp_path / "p.py"
    program.write_text("\n".join(rows) + "\n")
    before = "\n".join(["", "", *rows[2:5]]) + "\n"
    captured = replace(KERNEL, language="triton", path=str(program))
    found = home(captured, before, before.replace("exp(x)", "exp2(x)\n    y = y + 0"))
    assert found.after == program.read_text().replace("exp(x)", "exp2(x)\n    y = y + 0")
    program.write_text("\n".join(["import sys", *rows]) + "\n")
    assert home(captured, before, before.replace("exp(x)", "exp2(x)")) is None, "the file has changed"
