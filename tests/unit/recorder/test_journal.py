"""What of arguments' values is kept where not all of them fit."""

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


def test_an_end_that_cannot_be_written_never_reaches_the_program(tmp_path):
    Journal({"folder": str(tmp_path / "gone"), "after_s": 0, "values": True, "max_bytes": 0}).end()
