from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hotloop.errors import MissingExtraError, StoreError
from hotloop.model.outcome import CompileFailed
from hotloop.store import Store
from hotloop.store.location import Location


def refused(location, pattern: str, **options) -> None:
    with pytest.raises(StoreError, match=pattern) as caught:
        Store.open(location, **options)
    one_sentence(caught.value, location)


def one_sentence(error: Exception, location: object) -> None:
    text = str(error)
    assert "\n" not in text
    assert text.endswith(".")
    assert str(location) in text


def fill(store: Store, make_trial) -> int:
    for index in range(2000):
        store.add_trial(make_trial(index, outcome=CompileFailed("x" * 5000)))
    return 2000


@pytest.mark.parametrize("content", [b"\x00\xff garbage " * 4096, b"some text that is no database\n" * 40])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_database_is_left_as_it_is(path, content, read_only):
    path.write_bytes(content)
    refused(path, "not a hotloop store or is corrupt", read_only=read_only)
    assert path.read_bytes() == content


def test_a_truncated_store_is_corrupt_and_left_as_it_is(path, make_trial):
    with Store.open(path) as store:
        store.add_trial(make_trial())
    path.write_bytes(path.read_bytes()[:6000])
    before = path.read_bytes()
    refused(path, "is corrupt and was left as it is")
    assert path.read_bytes() == before


def test_a_damaged_page_is_found_when_it_is_read_and_written(path, make_trial):
    with Store.open(path) as store:
        store.add_trial(make_trial())
        root = pages(path, "trials")
    damaged = bytearray(path.read_bytes())
    damaged[(root - 1) * 4096 : root * 4096] = b"\xa5" * 4096
    path.write_bytes(damaged)
    with Store.open(path) as store:
        with pytest.raises(StoreError, match="is corrupt"):
            store.trials()
        with pytest.raises(StoreError, match="is corrupt") as caught:
            store.add_trial(make_trial(1))
    one_sentence(caught.value, path)


def pages(path, table: str) -> int:
    connection = sqlite3.connect(path)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    connection.close()
    return int(root)


def test_a_database_of_another_program_is_left_as_it_is(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    before = path.read_bytes()
    refused(path, "another program")
    refused(path, "another program", read_only=True)
    assert path.read_bytes() == before


def test_an_empty_file_is_a_new_store_but_nothing_to_read(path):
    path.touch()
    refused(path, "is empty", read_only=True)
    with Store.open(path) as store:
        assert store.runs() == ()


def test_a_lock_held_too_long(path, store, make_trial):
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with Store.open(path, busy_timeout_s=0.05) as waiting:
        with pytest.raises(StoreError, match="locked by another process for too long") as caught:
            waiting.add_trial(make_trial())
        one_sentence(caught.value, path)
        assert waiting.trials() == ()  # readers are not blocked
        blocker.execute("ROLLBACK")
        waiting.add_trial(make_trial())
    blocker.close()
    assert len(store.trials()) == 1


def test_a_new_store_that_somebody_else_has_locked(path):
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    refused(path, "locked by another process for too long", busy_timeout_s=0.05)
    blocker.close()


def test_a_directory(tmp_path):
    refused(tmp_path, "is a directory: name a file in it")


def test_a_device_is_no_file():
    refused("/dev/null", "not a regular file")


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"folder .*/file is a file: choose"):
        Store.open(tmp_path / "file" / "store.sqlite")
    refused(tmp_path / "file" / "deeper" / "store.sqlite", "cannot be reached: not a directory")


def test_missing_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b" / "store.sqlite"
    Store.open(path).close()
    assert path.exists()


def test_nothing_to_read(path):
    refused(path, "there is no store", read_only=True)
    assert not path.exists()


def test_a_read_only_file(open_folder, unprivileged):
    path = open_folder / "store.sqlite"
    open_folder.chmod(0o777)
    Store.open(path).close()
    path.chmod(0o444)
    with unprivileged():
        refused(path, "is read-only: allow writing to the file")
        with Store.open(path, read_only=True) as store:
            assert store.runs() == ()


def test_a_read_only_folder_still_can_be_read(open_folder, unprivileged, make_trial):
    path = open_folder / "store.sqlite"
    with Store.open(path) as store:
        store.add_trial(make_trial())
    path.chmod(0o666)
    open_folder.chmod(0o555)
    with unprivileged():
        refused(path, "lies in a read-only folder")
        refused(open_folder / "new.sqlite", "lies in a read-only folder")
        refused(open_folder / "deeper" / "new.sqlite", "cannot be reached: permission denied")
        for _ in range(2):
            with Store.open(path, read_only=True) as store:
                assert store.trials() == (make_trial(),)
    path.with_name("store.sqlite-wal").touch()  # what a reader with more rights leaves behind
    with unprivileged(), Store.open(path, read_only=True) as store:
        assert store.trials() == (make_trial(),)


def test_unfinished_business_in_a_read_only_folder_cannot_be_read(path, store, make_trial, open_folder, unprivileged):
    store.add_trial(make_trial())
    copy = open_folder / "store.sqlite"
    for suffix in ("", "-wal"):  # as a killed writer and a change of permissions leave it
        shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    open_folder.chmod(0o555)
    with unprivileged():
        refused(copy, "cannot be opened", read_only=True)


def test_a_process_that_may_open_no_further_file_is_told_so(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    handles = [os.open(os.devnull, os.O_RDONLY)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, handles[0] + 8), hard))
    try:
        with suppress(OSError):
            while True:
                handles.append(os.open(os.devnull, os.O_RDONLY))
        os.close(handles.pop())  # for the database itself; its log has no place
        refused(path, r"no further file can be opened; allow more \(ulimit -n\)")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for handle in handles:
            os.close(handle)


def test_a_write_that_the_system_refuses(path, store, make_trial):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
    try:
        with pytest.raises(StoreError, match="I/O error: check the disk") as caught:
            fill(store, make_trial)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    one_sentence(caught.value, path)
    kept = len(store.trials())
    assert kept > 5
    store.add_trial(make_trial(kept, outcome=CompileFailed("after")))
    assert store.trials()[-1].outcome == CompileFailed("after")


def test_a_file_that_may_not_be_read(open_folder, unprivileged):
    path = open_folder / "store.sqlite"
    Store.open(path).close()
    path.chmod(0o000)
    with unprivileged():
        refused(path, "no permission to read", read_only=True)


def test_a_folder_that_may_not_be_entered(open_folder, unprivileged):
    open_folder.chmod(0o000)
    with unprivileged():
        refused(open_folder / "store.sqlite", "cannot be reached: permission denied")


def test_a_file_that_turns_read_only_for_the_connection(store, make_trial):
    with store._database._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="is read-only: allow writing"):
        store.add_trial(make_trial())


def test_a_store_opened_to_read_refuses_to_record(path, store, make_trial):
    store.add_trial(make_trial())
    with Store.open(path, read_only=True) as reader:
        assert reader.trials() == (make_trial(),)
        for write in (lambda: reader.add_trial(make_trial(1)), lambda: reader.begin_run("tune", "{}", "t")):
            with pytest.raises(StoreError, match="was opened read-only"):
                write()
        store.add_trial(make_trial(1))
        assert len(reader.trials()) == 2  # the writer next door is seen


def test_a_store_in_whose_folders_place_is_a_file(tmp_path, make_trial):
    folder, aside = tmp_path / "results", tmp_path / "aside"
    with Store.open(folder / "store.sqlite") as store:
        store.add_trial(make_trial(0))
        folder.rename(aside)
        folder.write_bytes(b"")
        with pytest.raises(StoreError, match="was moved, replaced or deleted while it was in use"):
            store.add_trial(make_trial(1))


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_is_moved_away_while_it_is_used(path, store, make_trial, replaced):
    store.add_trial(make_trial(0))
    aside = path.with_name("aside")
    path.rename(aside)
    if replaced:
        path.write_bytes(b"")
    with pytest.raises(StoreError, match="was moved, replaced or deleted while it was in use") as caught:
        store.add_trial(make_trial(1))
    one_sentence(caught.value, path)
    aside.rename(path)
    store.add_trial(make_trial(1))
    assert store.trials() == (make_trial(0), make_trial(1))


def test_a_full_database_keeps_what_it_has(path, store, make_trial):
    store.add_trial(make_trial())
    writer = store._database._direct.driver_connection
    (used,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {used + 3}")
    with pytest.raises(StoreError, match="is full and the last record was not kept") as caught:
        fill(store, make_trial)
    one_sentence(caught.value, path)
    assert store.trials()[0] == make_trial()


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="mounts a small file system")
def test_a_full_disk_keeps_what_it_has(tmp_path, make_trial):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)], check=False)
    if mounted.returncode:
        pytest.skip("mounting is not permitted here")
    path = tmp_path / "store.sqlite"
    try:
        with Store.open(path) as store, pytest.raises(StoreError, match="is full and the last record was not kept"):
            fill(store, make_trial)
        with Store.open(path, read_only=True) as store:
            kept = store.trials()
        assert [trial.config["WG"] for trial in kept] == list(range(len(kept)))
        assert len(kept) > 10
        path.with_name("filler").write_bytes(b"x" * shutil.disk_usage(tmp_path).free)
        refused(tmp_path / "new.sqlite", "is full")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_urls_that_lead_nowhere(monkeypatch):
    with pytest.raises(StoreError, match="cannot be read"):
        Store.open("://")
    with pytest.raises(StoreError, match="not supported"):
        Store.open("carrierpigeon://host/db")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"hotloop\[postgres\]"):
        Store.open("postgresql://me:secret@host/db")
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    with pytest.raises(StoreError, match="MySQLdb.*SQLite or a server of PostgreSQL"):
        Store.open("mysql+mysqldb://me:secret@host/db")


def test_passwords_stay_out_of_messages(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError) as caught:
        Store.open("postgresql://me:secret@host/db")
    assert "secret" not in str(caught.value)
    assert "secret" not in str(Location.resolve("postgresql://me@host/db?sslpassword=secret&password=secret"))


def test_a_home_folder_of_nobody():
    refused("~nobody-of-this-name/store.sqlite", "lies in the home folder of an unknown user")


def test_the_default_place_is_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Store.open() as store:
        assert Path(store.location).name == "store.sqlite"
        if sys.platform == "linux":
            assert store.location == str(tmp_path / "hotloop" / "store.sqlite")


@pytest.mark.parametrize("name", ["with blank.sqlite", "wörk#1?x=%20.sqlite"])
def test_odd_file_names(tmp_path, make_trial, name):
    path = tmp_path / name
    with Store.open(path) as store:
        store.add_trial(make_trial())
    with Store.open(path, read_only=True) as store:
        assert store.trials() == (make_trial(),)
    assert {entry.name.removesuffix("-wal").removesuffix("-shm") for entry in tmp_path.iterdir()} == {name}


def test_sqlite_urls(path, make_trial):
    with Store.open(f"sqlite:///{path}") as store:
        store.add_trial(make_trial())
        assert store.location == str(path)
    with Store.open("sqlite://") as store:
        store.add_trial(make_trial())
        assert len(store.trials()) == 1


def test_text_that_is_no_text_is_told_by_its_column_and_not_quoted(tmp_path):
    file = tmp_path / "store.sqlite"
    with Store.open(file) as store:
        store.resume_or_begin("optimize", "{}", "a title")
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE runs SET title = CAST(x'61ff62' AS TEXT)")
    with Store.open(file) as store, pytest.raises(StoreError) as told:
        store.runs()
    assert "is damaged: title holds bytes that are no text" in str(told.value)
    assert "b" + chr(0xFFFD) not in str(told.value)
    assert "a" + chr(0xFFFD) not in str(told.value)


def test_a_full_disk_of_a_server_is_told_as_such():
    from sqlalchemy.exc import OperationalError

    from hotloop.store import failure

    class FullError(Exception):
        sqlstate = "53100"

    said = failure.sentence(
        OperationalError("", {}, FullError("could not extend file: No space left")), "postgresql://h/d"
    )
    assert said.startswith("the disk of the server of the store postgresql://h/d is full (could not extend file")
