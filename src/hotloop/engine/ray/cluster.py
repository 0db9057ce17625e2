"""The connection to a Ray cluster: one that starts here by itself, one that this machine belongs to, or one elsewhere.

A process has one connection, which lives until the process ends: to begin one takes seconds, and several engines follow one
another. The hosts, Ray's actors, live as long; an engine takes those that are free.
"""

from __future__ import annotations

import atexit
import os
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from hotloop.engine.ray.host import Host
from hotloop.engine.ray.seat import Facts, Node, Refusal, Seat
from hotloop.errors import LostError, MachineError, MissingExtraError
from hotloop.host import memory, settings
from hotloop.version import VERSION

CLIENT = "ray://"
"""Beginning of the address of a cluster that this machine is no part of; without a port, Ray's client server has this one:"""
_CLIENT_PORT = 10001
LOOK_S = 2.0
"""How often somebody who waits looks whether the head is still there."""
_HEAD_S = 5.0
"""Seconds within which a cluster's head must accept a connection."""
START_S = 120.0
"""Seconds within which a host must have started: Python, Ray and NumPy on a loaded machine."""
_SHARED_BYTES = 2**34
"""Memory of a local cluster for arrays on their way, at most: several sets of inputs beyond a GPU's cache, and what each of
its devices left. At least what Ray insists on:"""
_LEAST_BYTES = 80 * 2**20
_MOST_BYTES = 107
"""Length of a socket's name at most (unix(7)), and what Ray appends to the temporary folder: session with time and process, name of the socket."""
_SOCKET_BYTES = len("/ray/session_2026-11-30_21-45-57_963910_4194304/sockets/plasma_store.123")
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
}
"""Nothing is reported to anybody, and hosts without a GPU keep the variables that they have."""


class Joined(Protocol):
    """What a fleet asks of the machines that it has."""

    looks: int
    """Quick looks that a GPU can have under way at once."""
    asking_s: float
    """Interval in s at which a host is asked whether what compiles there is ready."""

    def nodes(self) -> tuple[Node, ...]:
        """Return the machines that are there, this one first."""

    def seat(self, seats: Sequence[Seat]) -> dict[Seat, tuple[Any, Facts]]:
        """Return a host for each seat that has one in time, with what it says of itself."""

    def release(self, seat: Seat, actor: Any) -> None:  # noqa: ANN401
        """Take a host back that an engine does not need any more."""

    def kill(self, actor: Any) -> None:  # noqa: ANN401
        """End a host."""

    def put(self, array: Any) -> Any:  # noqa: ANN401
        """Lay bytes out where every host can fetch them."""

    def answer(self, ref: Any, place: str) -> Any:  # noqa: ANN401
        """Wait for a host's answer. Raises LostError, or what the host raised."""


class Cluster:
    """Implements `Joined` by a cluster of Ray's."""

    looks = 2
    """Number of looks in flight: the run judges the results of one while the host, which answers one request after the other, works on the next."""
    asking_s = 0.05
    """Interval at which a run asks the cluster whether a look is ready."""

    def __init__(self, ray: Any, head: tuple[str, int] | None) -> None:  # noqa: ANN401 - the module, which is optional
        self._ray = ray
        self._head = head
        """Where the head listens; None where it is not known."""
        self._free: dict[Seat, Any] = {}
        """Hosts that no engine uses."""

    def nodes(self) -> tuple[Node, ...]:
        """Return the machines that are there, this one first."""
        self.there()
        here = self._ray.get_runtime_context().get_node_id()
        rows = [row for row in self._ray.nodes() if row["Alive"]]
        rows.sort(key=lambda row: (row["NodeID"] != here, row["NodeManagerHostname"], row["NodeID"]))
        return tuple(_named([_node(row) for row in rows]))

    def seat(self, seats: Sequence[Seat]) -> dict[Seat, tuple[Any, Facts]]:
        """Return a host for each seat that has one in time, with what it says of itself."""
        actors = {seat: self._free.pop(seat, None) or self._actor(seat) for seat in seats}
        asked = {actor.facts.remote(): seat for seat, actor in actors.items()}
        answers: dict[Seat, tuple[Any, Facts]] = {}
        for ref in self._begun(asked):
            try:
                answers[asked[ref]] = actors[asked[ref]], self._ray.get(ref)
            except self._ray.exceptions.RayError:
                continue
        for seat in seats:
            if seat not in answers:
                self.kill(actors[seat])
        return {seat: answers[seat] for seat in seats if seat in answers}

    def _begun(self, asked: Mapping[Any, Seat]) -> list[Any]:
        """Return what was answered in time; for a machine that is gone nobody waits."""
        begun: list[Any] = []
        waiting, until_s = list(asked), time.monotonic() + START_S
        while waiting and time.monotonic() < until_s:
            done, waiting = self._ray.wait(waiting, num_returns=len(waiting), timeout=LOOK_S)
            begun += done
            alive = {node.id for node in self.nodes()}
            waiting = [ref for ref in waiting if asked[ref].node.id in alive]
        return begun

    def _actor(self, seat: Seat) -> Any:  # noqa: ANN401 - a handle of Ray's
        strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(seat.node.id, soft=False)
        made = self._ray.remote(Host).options(
            num_cpus=seat.cpus,
            num_gpus=1 if seat.gpu else 0,
            scheduling_strategy=strategy,
            max_restarts=0,
            max_concurrency=1,
        )
        return made.remote(seat.number, 1 if seat.gpu else seat.parts)

    def release(self, seat: Seat, actor: Any) -> None:  # noqa: ANN401
        """Take a host back that an engine does not need any more."""
        actor.end.remote()
        self._free[seat] = actor

    def kill(self, actor: Any) -> None:  # noqa: ANN401
        """End a host."""
        self._ray.kill(actor, no_restart=True)

    def put(self, array: Any) -> Any:  # noqa: ANN401
        """Lay bytes out where every host can fetch them once for its machine."""
        return self._ray.put(array)

    def answer(self, ref: Any, place: str) -> Any:  # noqa: ANN401
        """Wait for a host's answer.

        Raises:
            LostError: the host or its machine died.
            HotloopError: what the host raised.
            MachineError: the head is gone.
        """
        errors = self._ray.exceptions
        done: list[Any] = []
        while not done:
            done, _ = self._ray.wait([ref], timeout=LOOK_S)
            if not done:
                self.there()
        try:
            answer = self._ray.get(ref)
        except (errors.ActorDiedError, errors.ActorUnavailableError, errors.ObjectLostError) as death:
            self.there()
            raise LostError(
                f"{place} was lost in the middle of a request: run the same command again, it goes on where it stopped."
            ) from death
        except errors.RayTaskError as defect:
            raise MachineError(f"{place}: defect in the host, please report it: {defect.cause!r}.") from defect
        if isinstance(answer, Refusal):
            raise answer.error()
        return answer

    def there(self) -> None:
        """Raise MachineError when the head does not answer any more: nothing of a cluster works without it."""
        if self._head is None:
            return
        try:
            socket.create_connection(self._head, timeout=_HEAD_S).close()
        except OSError as error:
            raise MachineError(
                f"the head of the Ray cluster at {self._head[0]}:{self._head[1]} does not answer: start it; the same command goes "
                "on where it stopped."
            ) from error


_joined: dict[str, Cluster] = {}


def join(engine: str) -> Cluster:
    """Return the cluster that ``ray`` or ``ray://HOST[:PORT]`` names; started here where there is none to join.

    Raises:
        MachineError: it cannot be reached or started, or Ray is not installed.
    """
    if engine not in _joined:
        ray = library()
        _joined[engine] = _connect(ray, engine)
        atexit.register(ray.shutdown)
    return _joined[engine]


def library() -> Any:  # noqa: ANN401
    """Return Ray's module. Raises MissingExtraError."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise MissingExtraError("the engine ray", "ray") from error
    return ray


def _connect(ray: Any, engine: str) -> Cluster:  # noqa: ANN401
    plain: dict[str, str | bool] = {"log_to_driver": False, "logging_level": "ERROR", "namespace": "hotloop"}
    try:
        if engine.startswith(CLIENT):
            return _client(ray, engine, plain)
        address = running()
        if address:
            ray.init(address=address, **plain)
        else:
            ray.init(
                address="local",
                include_dashboard=False,
                num_cpus=_cores(),
                object_store_memory=_store_bytes(),
                _temp_dir=folder(),
                **plain,
            )
    except MachineError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise MachineError(
            f"no Ray cluster can be used through {engine}: {reason}; see hotloop doctor --engine {engine}."
        ) from error
    return Cluster(ray, _address(ray.get_runtime_context().gcs_address))


def _client(ray: Any, engine: str, plain: dict[str, str | bool]) -> Cluster:  # noqa: ANN401
    """Join through the head's client server, whose absence Ray would wait for."""
    host, _, port = engine.removeprefix(CLIENT).rstrip("/").partition(":")
    if not host or (port and not port.isdigit()):
        raise MachineError(f"{engine} names no cluster; write ray://HOST or ray://HOST:PORT.")
    made = Cluster(ray, (host, int(port or _CLIENT_PORT)))
    made.there()
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}} if host in _SELF else {}
    ray.init(f"{CLIENT}{host}:{port or _CLIENT_PORT}", runtime_env=paths, **plain)
    return made


_SELF = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts whose Python files are ours: elsewhere hotloop is to be installed."""


def running() -> str:
    """Return the address of the cluster that this machine belongs to, empty where there is none; ``local`` asks for none."""
    asked = settings.RAY.get()
    if asked:
        return "" if asked == "local" else asked
    try:
        address = Path("/tmp/ray/ray_current_cluster").read_text(encoding="utf-8").strip()  # noqa: S108 - where Ray notes it
    except OSError:
        return ""
    host_and_port = _address(address)
    try:
        if host_and_port is not None:
            socket.create_connection(host_and_port, timeout=_HEAD_S).close()
    except OSError:  # a cluster that was killed leaves its note
        return ""
    return address if host_and_port is not None else ""


def _address(text: str) -> tuple[str, int] | None:
    host, _, port = text.rpartition(":")
    return (host, int(port)) if host and port.isdigit() else None


def _cores() -> int:
    return max(settings.usable_cores(), parts())


def parts() -> int:
    """Return into how many devices a machine's cores are to be divided."""
    asked = settings.PARTS.get() or "1"
    if not asked.isdigit() or int(asked) < 1:
        raise MachineError(f"{settings.PARTS.name} is {asked!r}; set a whole number of at least 1, or unset it.")
    return int(asked)


def folder() -> str | None:
    """Return where a local cluster keeps its sockets and logs; None: where Ray does by itself, in the temporary folder.

    Systems limit the length of a socket's name, and the temporary folders of batch jobs have long ones.
    """
    if len(os.fsencode(tempfile.gettempdir())) + _SOCKET_BYTES <= _MOST_BYTES:
        return None
    own = Path(f"/tmp/ray-{os.getuid()}")  # noqa: S108 - only if it is the user's own
    with suppress(FileExistsError):
        own.mkdir(mode=0o700)
    found = own.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022:
        return str(own)
    return tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # somebody else has a file of that name


def _store_bytes() -> int:
    """Return how much memory a local cluster gets for arrays on their way: part of what shared memory has, and of what is free.

    Ray refuses to start where it leaves less than a twentieth of a machine's memory for anything else.
    """
    try:
        free = os.statvfs("/dev/shm")  # noqa: S108 - where Ray puts it
        room = free.f_bavail * free.f_frsize // 4
    except OSError:
        room = 0
    left = memory.available_bytes()
    room = room if left is None else min(room, left // 2)
    return max(_LEAST_BYTES, min(_SHARED_BYTES, room))


def _node(row: dict[str, Any]) -> Node:
    resources = row["Resources"]
    return Node(row["NodeID"], row["NodeManagerHostname"], float(resources.get("CPU", 0)), int(resources.get("GPU", 0)))


def _named(nodes: Sequence[Node]) -> list[Node]:
    """Return nodes with names of their own, where several run on one machine."""
    names = [node.name for node in nodes]
    return [
        Node(node.id, node.name if names.count(node.name) == 1 else f"{node.name}-{node.id[:4]}", node.cpus, node.gpus)
        for node in nodes
    ]


def unlike(facts: Facts) -> str:
    """Return why a host cannot serve this run, empty where it can."""
    if facts.version != VERSION:
        return f"it has hotloop {facts.version}, this run {VERSION}"
    return ""
