"""Taking away from this process what a candidate that nobody trusts does not need, as far as the system lets everybody do so.

Landlock (Linux 5.13; landlock(7)) takes writing outside some folders, from 6.7 on TCP, and from 6.12 on signals to other
processes; it also forbids tracing them. Mounts of its own that are read-only (Linux 5.12; mount_setattr(2)) keep
modes, owners and times of files, which Landlock does not know. Namespaces of its own (unshare(2)) for users, network and communication between
processes take every network and leave no shared memory behind; with one for processes (pid_namespaces(7)) no other process can
be named, so that neither its priority nor its processors nor its limits can be changed, and all that was started ends with it.
Limits (setrlimit(2)) bound memory, files and processes. What is taken stays taken, also from children. Linux only.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System calls of Landlock, the same on every processor (asm-generic/unistd.h)."""
_NO_NEW_PRIVILEGES = 38
"""PR_SET_NO_NEW_PRIVS, linux/prctl.h."""
_ASK_VERSION, _BENEATH = 1, 1
"""LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH, linux/landlock.h."""
_WRITES = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
"""LANDLOCK_ACCESS_FS_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE and the _MAKE_ ones."""
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # from versions 2 and 3
_ON_FILES = 1 << 1 | _TRUNCATE
_TCP, _SCOPES = 0b11, 0b11  # bind and connect (version 4); abstract sockets and signals (6)
_NEW_USER, _NEW_NETWORK, _NEW_SHARING, _NEW_PROCESSES = 0x10000000, 0x40000000, 0x08000000, 0x20000000
"""CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWPID, linux/sched.h."""
_NEW_MOUNTS, _BIND, _SET_MOUNTS, _HERE, _BELOW, _READ_ONLY = 0x00020000, 4096 | 16384, 442, -100, 0x8000, 1
"""CLONE_NEWNS; MS_BIND with MS_REC; mount_setattr, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY, linux/mount.h."""
_PROCESSES, _OPEN_FILES, _FILE_BYTES = 512, 1024, 8 << 30
_MEMORY_PART = 0.75


@dataclass(frozen=True, slots=True)
class Confinement:
    """What was taken from a process."""

    writing: bool = False
    """The process cannot write, make or remove files outside the folders that it was left."""
    tracing: bool = False
    """The process cannot read or change other processes."""
    signals: bool = False
    """The process cannot send signals to processes outside."""
    network: bool = False
    limits: bool = False
    """Memory, files and processes are bounded."""

    @property
    def whole(self) -> bool:
        """True when nothing is missing."""
        return all((self.writing, self.tracing, self.signals, self.network, self.limits))

    @property
    def lacking(self) -> tuple[str, ...]:
        """What could not be taken, in words."""
        words = {
            "writing": "writing files", "tracing": "reading other processes", "signals": "signals to other processes",
            "network": "the network", "limits": "unbounded memory",
        }  # fmt: skip
        return tuple(text for name, text in words.items() if not getattr(self, name))


def confine(writable: Sequence[Path]) -> Confinement:
    """Take from this process, for good, what it may do beside computing; call it before any thread is started.

    Args:
        writable: folders and files that it may still change.
    """
    if sys.platform != "linux":
        return Confinement(limits=_limited())
    libc = ctypes.CDLL(None, use_errno=True)
    network = _alone(libc)
    if network:
        _read_only(libc, writable)
    limits = _limited()
    version = _landlock(libc, writable)
    return Confinement(version >= 1, version >= 1, version >= 6, network, limits)


def without_others() -> None:
    """Go on as the first process of a namespace of its own, where `confine` gave one for users; the caller waits for it.

    It cannot name processes outside, and what it starts ends with it, also what left its group and cleared its environment.
    Call it before any thread is started.
    """
    if sys.platform != "linux" or ctypes.CDLL(None).unshare(_NEW_PROCESSES):
        return
    if child := os.fork():
        os.closerange(3, _OPEN_FILES)
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _limited() -> bool:
    memory_bytes = int(_MEMORY_PART * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    wanted = {
        resource.RLIMIT_DATA: memory_bytes, resource.RLIMIT_NOFILE: _OPEN_FILES, resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NPROC: _PROCESSES, resource.RLIMIT_CORE: 0,
    }  # fmt: skip
    try:
        for kind, most in wanted.items():
            soft, hard = resource.getrlimit(kind)
            low = min((limit for limit in (soft, hard, most) if limit != resource.RLIM_INFINITY), default=most)
            resource.setrlimit(kind, (low, low))
    except (OSError, ValueError):
        return False
    return True


def _alone(libc: ctypes.CDLL) -> bool:
    """Move to a network without any device, as oneself."""
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_SHARING):
        return False
    with suppress(OSError):  # without names files still belong to whom they belonged
        Path("/proc/self/setgroups").write_text("deny", encoding="utf-8")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="utf-8")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="utf-8")
    return True


def _read_only(libc: ctypes.CDLL, writable: Iterable[Path]) -> None:
    """Make all mounts read-only but those of some folders and files; where the system does not allow it nothing changes."""
    if libc.unshare(_NEW_MOUNTS):
        return
    left = [os.fsencode(path) for path in writable if path.exists()]
    if any(libc.mount(place, place, None, _BIND, None) for place in left):
        return  # what cannot be made a mount of its own would be read-only, too
    changes = struct.pack("=4Q", _READ_ONLY, 0, 0, 0)
    libc.syscall(_SET_MOUNTS, _HERE, b"/", _BELOW, changes, ctypes.c_size_t(len(changes)))
    again = struct.pack("=4Q", 0, _READ_ONLY, 0, 0)
    for place in left:
        libc.syscall(_SET_MOUNTS, _HERE, place, _BELOW, again, ctypes.c_size_t(len(again)))
    with suppress(OSError):  # the folder as it is seen through the new mounts
        os.chdir(os.getcwd())  # noqa: PTH109 - a path that may be none


def _landlock(libc: ctypes.CDLL, writable: Iterable[Path]) -> int:
    """Return the version that was applied; 0 where there is none."""
    version: int = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return 0
    handled = _WRITES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    words = (handled, *((_TCP,) if version >= 4 else ()), *((_SCOPES,) if version >= 6 else ()))
    attributes = struct.pack(f"={len(words)}Q", *words)
    rules: int = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return 0
    try:
        for path in writable:
            _allow(libc, rules, path, handled)
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return 0 if libc.syscall(_RESTRICT, rules, 0) else version
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, handled: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is not there, so nothing has to be allowed
        return
    try:
        rights = handled if path.is_dir() else handled & _ON_FILES
        libc.syscall(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def possible() -> Confinement:
    """Return what can be taken on this system; a child of this process tries it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            confinement = confine(())
            flags = (
                confinement.writing,
                confinement.tracing,
                confinement.signals,
                confinement.network,
                confinement.limits,
            )
            os.write(writing, bytes(flags))
        finally:
            os._exit(0)
    os.close(writing)
    message = os.read(reading, 5)
    os.close(reading)
    os.waitpid(child, 0)
    return Confinement(*map(bool, message)) if len(message) == 5 else Confinement()
