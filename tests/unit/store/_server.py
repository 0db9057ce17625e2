"""A PostgreSQL server in a temporary folder, on a free port of the loopback interface, with a password."""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

LIMIT_S = 300


class Server:
    """Started by `begin`; every database that `database` makes is empty."""

    def __init__(self, tools: Path, folder: Path) -> None:
        self._tools, self._folder = tools, folder
        self.password = secrets.token_hex(8)
        self._count = 0
        self._threads = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]

    @classmethod
    def begin(cls):
        """Return a running server; None where it is not installed."""
        tools = _tools()
        if tools is None:
            return None
        folder = Path(tempfile.mkdtemp(prefix="hotloop-postgres-"))
        server = cls(tools, folder)
        if os.geteuid() == 0:
            owner = _owner()
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        secret = folder / "secret"
        secret.write_text(server.password)
        secret.chmod(0o644)
        options = ["-D", folder / "data", "-U", "owner", "-A", "scram-sha-256", "--pwfile", secret, "-N"]
        server._run("initdb", *options, "-E", "UTF8", "--locale=C")
        server.start()
        return server

    def url(self, database, user="owner", password=None):
        return f"postgresql://{user}:{password or self.password}@127.0.0.1:{self._port}/{database}"

    def database(self):
        """Return the URL of a new database."""
        self._count += 1
        name = f"store{self._count}"
        self._sql(self.url("postgres"), f"CREATE DATABASE {name}")
        return self.url(name)

    def reader(self, url):
        """Return the URL of a new user who may only read a database."""
        name = urlsplit(url).path[1:]
        self._sql(
            url,
            f"CREATE ROLE reader{self._count} LOGIN PASSWORD 'reads'",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader{self._count}",
        )
        return self.url(name, f"reader{self._count}", "reads")

    def start(self):
        fast = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._run("pg_ctl", "start", "-w", "-D", self._folder / "data", "-l", self._folder / "log", "-o", fast)

    def stop(self):
        self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", self._folder / "data")

    def restart(self):
        self.stop()
        self.start()

    def start_later(self, seconds):
        self._threads.append(threading.Timer(seconds, self.start))
        self._threads[-1].start()

    @contextlib.contextmanager
    def stopped(self):
        """Stop all of its processes, which keep their connections."""
        main = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        family = [main, *_children(main)]
        try:
            for process in family:
                with contextlib.suppress(ProcessLookupError):  # one that has ended meanwhile
                    os.kill(process, signal.SIGSTOP)
            yield
        finally:
            for process in reversed(family):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def end(self):
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(subprocess.SubprocessError):
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _sql(self, url, *statements):
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _run(self, tool, *arguments):
        user = {"user": _owner().pw_uid, "group": _owner().pw_gid} if os.geteuid() == 0 else {}
        log = self._folder / f"{tool}.said"
        with log.open("wb") as said:  # no pipe: the server would keep it open
            ended = subprocess.run(
                [self._tools / tool, *map(str, arguments)], stdout=said, stderr=said, cwd=self._folder, timeout=LIMIT_S,
                check=False, extra_groups=[] if user else None, **user,
            )  # fmt: skip
        if ended.returncode:
            raise RuntimeError(f"{tool}: {log.read_text()}")


def _tools():
    folders = [Path(tool).resolve().parent for tool in filter(None, [shutil.which("initdb")])]
    folders += map(Path, sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True))
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _owner():
    """Return who runs the server: it refuses to be root's."""
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("no user to run PostgreSQL as")


def _children(parent):
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(status.parent.name))
    return found
