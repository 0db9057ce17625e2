"""Power cuts between any two writes of a store: every prefix of its write-ahead log, torn and reordered ends included.

SQLite appends pages to the log, each behind a header, and ends a commit with a page whose header says so; the log is synced
before the commit returns (`synchronous=FULL`), or, after quick looks of a search, with a later one. What a power cut can leave is
therefore the log up to some commit that returned, and of the next commit any part: fewer pages, half a page, later pages without earlier ones, garbage. While the
log is copied into the database (a checkpoint), the log is whole and the database holds any part of the new pages.
https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

HEADER_BYTES, FRAME_BYTES = 32, 24


@dataclass(frozen=True)
class Log:
    """A database as it was, and everything written to its log since."""

    base: bytes
    wal: bytes

    @property
    def page_bytes(self):
        return struct.unpack(">I", self.wal[8:12])[0]

    @property
    def frames(self):
        return (len(self.wal) - HEADER_BYTES) // (FRAME_BYTES + self.page_bytes)

    @property
    def commits(self):
        """Return the number of frames after which each commit is complete."""
        return [n + 1 for n in range(self.frames) if struct.unpack(">I", self.wal[self.start(n) + 4 :][:4])[0]]

    def start(self, frame):
        return HEADER_BYTES + frame * (FRAME_BYTES + self.page_bytes)

    def cut(self, frames, extra=b""):
        """Return the log with so many frames, and something of the next one."""
        return self.wal[: self.start(frames)] + extra


def record(store, write):
    """Call `write`, which fills a store, and return all that it wrote: a reader that never ends keeps the log whole."""
    base = Path(store).read_bytes()  # before the reader: closing the file would drop its locks
    with closing(sqlite3.connect(store, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM runs").fetchone()
        write()
        wal = Path(f"{store}-wal").read_bytes()
        reader.execute("ROLLBACK")
    return Log(base, wal)


def ends(log, frame, chance):
    """Return what a cut while a commit is being written may leave of its frames: (name, log)."""
    following = log.wal[log.start(frame) : log.start(frame + 1)]
    yield "whole page, no commit", log.cut(frame, following) if frame + 1 not in log.commits else log.cut(frame)
    yield "half a page", log.cut(frame, following[: chance.randrange(1, len(following))])
    yield "zeros", log.cut(frame, bytes(len(following)))
    yield "garbage", log.cut(frame, chance.randbytes(len(following)))
    damaged = bytearray(following)
    damaged[chance.randrange(len(damaged))] ^= 0xFF
    yield "a damaged page", log.cut(frame, bytes(damaged))
    later = log.wal[log.start(frame + 1) : log.start(frame + 2)]
    yield "a later page without this one", log.cut(frame, bytes(len(following)) + later)


def lay(folder, base, wal):
    """Write a database and its log as files; returns the store."""
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "store.sqlite"
    Path(f"{store}-shm").unlink(missing_ok=True)
    store.write_bytes(base)
    Path(f"{store}-wal").write_bytes(wal)
    return store


def rows(store):
    """Return the number of rows of each table."""
    with closing(sqlite3.connect(store)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in sorted(tables)}


def half_checkpointed(log, chance, folder):
    """Return the database with a random part of the log's pages copied into it, as a cut during a checkpoint leaves it."""
    store = lay(folder, log.base, log.wal)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    after = store.read_bytes()
    size = log.page_bytes
    mixed = bytearray(log.base.ljust(chance.choice((len(log.base), len(after))), b"\0"))
    for start in range(0, len(mixed), size):
        if chance.random() < 0.5:
            mixed[start : start + size] = after[start : start + size]
    return bytes(mixed)
