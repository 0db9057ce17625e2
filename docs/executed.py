"""Say in the AMD pages of docs/ladders which rungs were executed, from the record that benchmarks/emulate_ladders.py wrote.

    python docs/executed.py

`hotloop ladder` writes what was compiled; run this after it. A test compares the committed pages with what this writes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "ladders"
RECORD = Path(__file__).parents[1] / "results" / "emulate-2026-11-23" / "ladders.json"
COLUMN = "executed"
COMPILED = "compiled here, run nowhere: nothing below is a measurement"
LINE = re.compile(r"^- compiled here[^\n]*$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the text of each page that names an AMD processor, by file name."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))
    made = {}
    for path in sorted(FOLDER.glob("*-gfx*.md")):
        family, _, target = path.stem.rpartition("-")
        known = {row["rung"]: row for row in rows if row["target"] == target and _family(row["family"]) == family}
        made[path.name] = told(path.read_text(encoding="utf-8"), known)
    return made


def _family(name: str) -> str:
    """Return a family as its page is called."""
    return {"conv3d_depthwise": "conv3d"}.get(name, name)


def told(text: str, known: dict[str, dict[str, object]]) -> str:
    """Return a page with the column in its table of resources, and the sentence at its head."""
    head, mark, rest = text.partition("## resources\n\n")
    table, gap, tail = rest.partition("\n\n")
    lines = [_bare(line) for line in table.splitlines()] if "| executed |" in table else table.splitlines()
    names = [line.split("|")[1].strip() for line in lines[2:]]
    marked = [f"{lines[0]} {COLUMN} |", f"{lines[1]}---|"]
    marked += [f"{line} {_cell(known.get(name))} |" for line, name in zip(lines[2:], names, strict=True)]
    right = sum(_clean(known[name]) for name in names if name in known)
    sentence = (
        f"- compiled here; {right} of {len(names)} rungs executed on a CPU by `hotloop emulate` in two orders, right and without a report; "
        "nothing below is a measurement"
    )
    return LINE.sub(lambda _: sentence, head) + mark + "\n".join(marked) + gap + tail


def _bare(line: str) -> str:
    return "|".join(line.split("|")[:-2]) + "|"


def _clean(row: dict[str, object]) -> bool:
    return row["status"] == "right" and not row["findings"]


def _cell(row: dict[str, object] | None) -> str:
    if row is None or row["status"] == "not executed":
        return "–"
    if row["findings"]:
        return "REPORTED"
    return "right" if row["status"] == "right" else "WRONG"


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
