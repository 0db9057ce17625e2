"""The house stays readable: short files, rooms that one look takes in, names without prefixes."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import hotloop
from hotloop.errors import MissingExtraError

HOUSE = Path(hotloop.__file__).parent
MOST_LINES, MOST_MODULES, MOST_ALIKE = 400, 25, 2
FILES = sorted(HOUSE.rglob("*.py"))
PLUG_INS = {
    HOUSE / "cli" / "commands",
    HOUSE / "diagnose" / "rules",
    HOUSE / "techniques" / "methods",
    HOUSE / "rewrite" / "jitted" / "methods",
}
"""Where each file is one of a kind, found by the registry."""


def rooms():
    """Yield folders with the names of their modules."""
    for room in sorted({path.parent for path in FILES} - PLUG_INS):
        yield room, [path.stem for path in room.glob("*.py") if path.stem != "__init__"]


def test_files_are_short():
    kernels = [path for path in HOUSE.rglob("*") if path.suffix in {".c", ".cl", ".cuh", ".h", ".hip"}]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (*FILES, *kernels)}
    assert len(FILES) > 1000
    assert len(kernels) > 50
    assert not {path: count for path, count in lines.items() if count > MOST_LINES}


def test_rooms_are_small():
    assert not {room: len(names) for room, names in rooms() if len(names) > MOST_MODULES}


def test_modules_are_not_told_apart_by_prefix():
    alike = Counter(
        (room, name.partition("_")[0]) for room, names in rooms() for name in names if "_" in name.strip("_")
    )
    assert not {place: count for place, count in alike.items() if place[1] and count > MOST_ALIKE}


def unsaid(path):
    """Yield the places where text is read or written in whatever encoding the locale names."""
    text = path.read_text(encoding="utf-8")
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)) if "_text(" in text else ()
    for call in calls:
        name, said = getattr(call.func, "attr", ""), {keyword.arg for keyword in call.keywords}
        if name in ("read_text", "write_text") and "encoding" not in said and len(call.args) == (name == "write_text"):
            yield f"{path.relative_to(HOUSE)}:{call.lineno}"


def test_text_is_utf8_whatever_the_locale():
    assert [place for path in FILES for place in unsaid(path)] == []


EXTRAS = {"cuda", "flydsl", "hip", "msgpack", "psycopg", "pyarrow", "ray", "torch", "triton", "ziglang"}
"""Packages of extras, which need not be here."""


def importable(path):
    """Import a module; returns False where it needs a package of an extra that is not here."""
    name = ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts).removesuffix(".__init__")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as reason:
        if str(reason.name).partition(".")[0] in EXTRAS:
            return False
        raise
    except MissingExtraError:
        return False
    return True


def test_every_module_can_be_imported():
    """Once: doctests are looked for only where there are some, so nothing else imports them all."""
    imported = [importable(path) for path in FILES if path.stem != "__main__"]
    assert sum(imported) > 1000


LATE = (
    ("hotloop.cli.tables", "numpy"),
    ("hotloop.app.run.optimize", "hotloop.isa.summary"),
    ("hotloop.app.predict.beside", "hotloop.emulate"),
)
"""What begins a verb, and what it imports only where it is needed: each takes a tenth of a second of every start."""


def test_a_start_does_without_what_few_runs_need():
    checks = (f"import {begun}; print({late!r} in sys.modules)" for begun, late in LATE)
    code = "\n".join(("import sys", *checks))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False"] * len(LATE)
