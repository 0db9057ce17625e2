"""What of arguments' values is kept where not all of them fit."""

import json
import time

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
