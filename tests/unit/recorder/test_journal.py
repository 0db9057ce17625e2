"""What of arguments' values is kept where not all of them fit."""

import json
import time

import pytest

from hotloop.captures.merge import Merged
from hotloop.recorder.book import Book
from hotloop.recorder.clocked import clocks
from hotloop.recorder.journal import Journal


def test_small_arrays_are_kept_whole_behind_large_ones(tmp_path):
    (tmp_path / "values").mkdir()
    journal = Journal({"folder": str(tmp_path), "after_s": 0, "values": True, "max_bytes": 4 << 20})
    asked = []

    def read(count):
        asked.append(count)
        return bytes(count)

    sizes = (3 << 20, 2 << 20, 2 << 20, 2 << 20, 68)
    whole = [journal.keep(size, read)[1] for size in sizes]
    assert whole == [True, False, False, False, True]
    assert asked[-1] == 68
    assert sum(asked) <= 4 << 20


def test_waiting_for_what_was_launched_before_is_no_time_of_the_recorder(tmp_path):
    (tmp_path / "values").mkdir()
    book = Book(Journal({"folder": str(tmp_path), "after_s": 0, "values": False, "max_bytes": 0}))

    def told():
        with book.waiting():
            time.sleep(0.3)
        return {"grid": [1], "group": None, "arguments": []}

    def timer(run, tally):
        began = clocks()
        run()
        tally.ran(clocks().since(began))

    for _ in range(20):
        book.launched("k", lambda: {"entry": "k"}, "kind", told, lambda: None, timer)
    book.close()
    rows = [json.loads(row) for path in tmp_path.glob("seen-*") for row in path.read_text().splitlines()]
    count = [row for row in rows if row["kind"] == "count"][-1]
    assert count["host_ns"] < 0.25e9
    assert count["numbers"] == [*range(1, 16), 16, 18, 20]
    assert len(count["busy_ns"]) == len(count["times_ns"]) == 18


def test_an_end_that_cannot_be_written_never_reaches_the_program(tmp_path):
    Journal({"folder": str(tmp_path / "gone"), "after_s": 0, "values": True, "max_bytes": 0}).end()


def test_a_program_that_replaced_another_has_a_file_of_its_own(tmp_path):
    """`os.execv` keeps the process's number: launches of the first program were lost."""
    (tmp_path / "values").mkdir()
    kept = []
    for at in range(2):
        journal = Journal({"folder": str(tmp_path), "after_s": 0, "values": True, "max_bytes": 1 << 20})
        for row in journal_rows(calls=at + 1):
            journal.write(**row)
        kept.append(journal.keep(4, bytes)[0])
        journal._file.close()
    assert len(set(kept)) == 2
    found = Merged(tmp_path)
    assert [(one.name, one.calls) for one in found.kernels] == [("k", 3)]
    assert found.processes == 1


def journal_rows(calls, lanes=None):
    """Return what a process tells of a kernel."""
    kernel = {
        "number": 0, "language": "opencl", "entry": "k", "text": "t", "options": [], "path": "", "line": 0, "digest": "", "device": "",
        "versions": "", "interpreted": False,
    }  # fmt: skip
    launch = {"place": 0, "grid": [4], "group": None, "arguments": []}
    count = {"place": 0, "calls": calls, "times_ns": [1.0], "host_ns": 0.0, "lanes": lanes or {}}
    return (
        {"kind": "kernel", **kernel},
        {"kind": "launch", "kernel": 0, **launch},
        {"kind": "count", "kernel": 0, **count},
    )


@pytest.mark.parametrize(
    ("lanes", "threads"),
    [
        ([{"1": [0, 10], "2": [5, 15]}], 2),
        ([{"1": [0, 10], "2": [11, 15]}], 1),
        ([{"1": [0, 10]}, {"1": [9, 20]}, {"1": [21, 30]}], 2),
        ([{}], 1),
    ],
    ids=["two threads at once", "one after the other", "two processes at once", "a recorder that does not tell"],
)
def test_threads_that_launch_at_the_same_time_are_counted(tmp_path, lanes, threads):
    for process, told in enumerate(lanes):
        rows = "".join(f"{json.dumps(row)}\n" for row in journal_rows(1, told))
        (tmp_path / f"seen-{process}.jsonl").write_text(rows)
    (kernel,) = Merged(tmp_path).kernels
    assert (kernel.threads, kernel.calls) == (threads, len(lanes))
