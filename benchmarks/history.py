"""How long questions to a store of very many trials take: history, its best known, what a search reads, one run's trials.

    python benchmarks/history.py [--trials 1000000] [--url postgresql://me:secret@host/empty_database]

Without a URL the store is a SQLite file in a temporary folder. The database must be empty; rows are made by the database itself.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import create_engine, text

from hotloop.store import Store

RUN_OF = 200
"""Trials of a run."""
SERIES = {
    "sqlite": "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < :n) SELECT i FROM s",
    "postgresql": "SELECT generate_series(1, :n) AS i",
}
RUNS = """INSERT INTO runs (number, id, kind, title, request, fingerprint, state, started, conditions, hotloop, host, boot, pid,
 process_start) SELECT i, 'run' || i, 'tune', 'gemm', '{{}}', 'f' || i, 'finished', '2030-01-01T00:00:00+00:00', '{{}}', '1', 'h',
 'b', 1, '1' FROM ({series}) AS series"""
TRIALS = """INSERT INTO trials (number, identity, family, problem, sizes, implementation, config, fingerprint, device,
 device_fingerprint, outcome_kind, call_ns, outcome, purpose, created, run) SELECT i, 'trial' || i, 'family' || (i % 3),
 'problem' || (i % 50), '{{"m": 1}}', 'implementation' || (i % 4), '{{"WG": 1}}', 'x', 'device' || (i % 5), 'f', 'CompileFailed',
 NULL, '{{"is": "CompileFailed", "log": "x", "line": null}}', 'search', '2030-01-01T00:00:00+00:00', 'run' || (1 + i / {each})
 FROM ({series}) AS series"""


def fill(where, trials):
    url = where.replace("postgresql://", "postgresql+psycopg://") if "://" in where else f"sqlite:///{where}"
    engine = create_engine(url)
    series = SERIES[engine.dialect.name]
    with engine.begin() as connection:
        connection.execute(text(RUNS.format(series=series)), {"n": trials // RUN_OF + 1})
        connection.execute(text(TRIALS.format(series=series, each=RUN_OF)), {"n": trials})
        if engine.dialect.name == "postgresql":
            connection.execute(text("ANALYZE"))
    engine.dispose()


def timed(name, ask, tries=5):
    spent = []
    for _ in range(tries):
        began_s = time.perf_counter()
        ask()
        spent.append(time.perf_counter() - began_s)
    print(f"{name:46} {1e3 * min(spent):8.1f} ms at best, {1e3 * max(spent):8.1f} ms at worst", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--url", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = given.url or str(Path(folder) / "store.sqlite")
        with Store.open(where) as store:
            began_s = time.perf_counter()
            fill(where, given.trials)
            print(
                f"{store.location}: {given.trials} trials in {time.perf_counter() - began_s:.1f} s; load {os.getloadavg()[0]:.1f}"
            )
            timed("the latest runs", lambda: store.runs(limit=20))
            timed("the best known", store.all_best)
            timed("what a search reads (2,000 newest)", lambda: store.timings("family1", "implementation2", 2000))
            timed("of an implementation that nobody tried", lambda: store.timings("family1", "none", 2000))
            timed("one run's trials", lambda: store.trials(run="run77"))
            timed(
                "the newest 50 trials of a problem",
                lambda: store.trials(family="family1", problem="problem7", limit=50),
            )
        command = [sys.executable, "-m", "hotloop", "history", "--store", where]
        timed(
            "hotloop history, as a command", lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 3
        )


if __name__ == "__main__":
    main()
