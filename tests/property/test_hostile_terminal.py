"""What the command line itself prints, and what it says of a damaged record."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run.kept import record
from hotloop.cli.live import Progress
from hotloop.cli.main import main
from hotloop.errors import HotloopError, StoreError
from hotloop.host.clock import SystemClock
from hotloop.model.device import Device
from hotloop.model.problem import Work
from hotloop.store import Store

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
BAD = "x\x1b[2J\x1b]0;owned\x07\u202ey"


@pytest.mark.parametrize(
    "arguments", [["check", f"{BAD}.py"], ["report", BAD], [BAD], ["check", "gemm", "--shape", BAD]]
)
def test_errors_show_untrusted_text_and_obey_none_of_it(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    Store.open(tmp_path / "store.sqlite").close()
    with pytest.raises(SystemExit) as end:
        main(arguments)
    said = capsys.readouterr()
    assert end.value.code == 2
    assert said.err.strip()
    assert not CONTROLS.search(said.err.replace("\n", ""))


def test_progress_shows_untrusted_text_and_obeys_none_of_it(capsys):
    from hotloop.app.events import Notice

    with Progress(60.0) as progress:
        progress.notify(Notice(BAD))
    assert "owned" in (said := capsys.readouterr().err)
    assert not CONTROLS.search(said)


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=30)
    | st.sampled_from(["[" * 20_000, "{}", "null", '{"elapsed_s": 1}', '{"elapsed_s": null, "data": {}}'])
)
def test_a_damaged_answer_in_the_journal_is_one_sentence(text):
    from hotloop.app.run.attempt import Attempt

    desk = Desk(None, None, MemoryJournal({"baseline x": text}), SystemClock(), "0123456789")
    with pytest.raises(StoreError, match=r"what run 01234567 recorded for 'baseline' cannot be understood.*\.$"):
        desk.remember("baseline x", Attempt, lambda: None)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    key=st.sampled_from(["record head", "record step 0", "record tail 0", "record tail x"]),
    data=st.sampled_from(["{}", "[]", "null", "1", '"text"', '{"title": 3}', "[" * 900 + "]" * 900]),
)
def test_a_damaged_record_is_one_sentence(tmp_path, key, data):
    path = tmp_path / "store.sqlite"
    path.unlink(missing_ok=True)
    device = Device(name="n", kind="cpu", backend="b", runtime="r", runtime_key="k", target="t", compute_units=1)
    head = record.Head(
        title="t", kind="tune", command=(), started="", device=device, problem="p", work=Work(flops=1, bytes=1)
    )
    with Store.open(path) as store:
        with store.begin_run("tune", "{}", "t") as run:
            record.write_head(run, head)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM journal WHERE key = ?", (key,))
            connection.execute("INSERT INTO journal VALUES (?, ?, 7, ?, '')", (run.id, key, data))
            connection.commit()
        said = complaint(store, run.id)
    assert said.endswith(".") or not said
    assert "\n" not in said


def complaint(store, run):
    """Return hotloop's sentence about a record, or nothing where it can be read."""
    try:
        record.read(store, run)
    except HotloopError as error:
        return str(error)
    return ""
