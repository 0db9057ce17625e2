"""What the recorders of a program's processes wrote, put together: kernels of the same text are one, counts are added."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hotloop.captures.lanes import Lanes
from hotloop.captures.nouns import Captured, Constant, Given, Launched, Sized, Tuner
from hotloop.model.jit import Descriptor
from hotloop.model.language import language
from hotloop.model.record import digest


class Merged:
    """Everything that stands in the journals of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.kernels: list[Captured] = []
        self.cut = 0
        self.problems: list[str] = []
        self.recording_s = self.recording_busy_s = 0.0
        self._texts: dict[str, str] = {}
        self._lanes = Lanes()
        journals = sorted(folder.glob("seen-*.jsonl"))
        numbers = [int(path.stem.split("-")[1]) for path in journals]
        self.processes = len(set(numbers))
        for number, path in zip(numbers, journals, strict=True):
            self._process(number, list(_lines(path)))
        self.kernels = [self._lanes.told(at, kernel) for at, kernel in enumerate(self.kernels)]
        self._named()

    def _process(self, process: int, rows: list[Mapping[str, Any]]) -> None:
        kinds = {row["kind"] for row in rows}
        self.cut += (
            "kernel" in kinds and "ended" not in kinds
        )  # helpers of Python's own, and forks that launched nothing, just leave
        self.problems += [row["text"] for row in rows if row["kind"] == "failed"]
        kernels = {row["number"]: row for row in rows if row["kind"] == "kernel"}
        counts = {(row["kernel"], row["place"]): row for row in rows if row["kind"] == "count"}
        spent = [row for row in rows if row["kind"] == "spent"]
        self.recording_s += sum(row["host_ns"] for row in (*counts.values(), *spent)) / 1e9
        self.recording_busy_s += sum(row.get("host_busy_ns", 0.0) for row in (*counts.values(), *spent)) / 1e9
        for number, row in kernels.items():
            told = {
                launch["place"]: launch for launch in rows if launch["kind"] == "launch" and launch["kernel"] == number
            }
            launches = list(told.values())  # what could not be read at first is told again
            made = tuple(_launch(launch, counts.get((number, launch["place"]), {})) for launch in launches)
            places = {launch["place"] for launch in launches}
            further = sum(launch["calls"] for (k, at), launch in counts.items() if k == number and at not in places)
            if not any(launch.calls for launch in made) and not further:
                self.problems.append(f"no launch of {row['entry']} came to its end")
            elif made:
                at = self._add(replace(_kernel(row), launches=made, further=further), row["text"])
                for (of, _), count in counts.items():
                    if of == number:
                        self._lanes.add(at, process, count.get("lanes", {}))

    def _add(self, kernel: Captured, text: str) -> int:
        """Take a kernel of a process; return its place among all."""
        for at, earlier in enumerate(self.kernels):
            same = (earlier.entry, earlier.options, self._texts[str(at)]) == (kernel.entry, kernel.options, text)
            if same:
                joined = (*earlier.launches, *kernel.launches)
                self.kernels[at] = replace(earlier, launches=_joined(joined), further=earlier.further + kernel.further)
                return at
        self._texts[str(len(self.kernels))] = text
        self.kernels.append(kernel)
        return len(self.kernels) - 1

    def _named(self) -> None:
        """Give every kernel a name and its text a file; the most expensive first."""
        order = sorted(range(len(self.kernels)), key=lambda at: -(self.kernels[at].total_ns or 0.0))
        taken: dict[str, int] = {}
        made = []
        for at in order:
            kernel = self.kernels[at]
            taken[kernel.entry] = taken.get(kernel.entry, 0) + 1
            name = kernel.entry if taken[kernel.entry] == 1 else f"{kernel.entry}-{taken[kernel.entry]}"
            source = f"{name}{language(kernel.language).recorded}"
            (self._folder / source).write_text(self._texts[str(at)], encoding="utf-8")
            made.append(replace(kernel, name=name, source=source, seal=digest(self._texts[str(at)])))
        self.kernels = made


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a journal; the last one of a process that was killed may be cut off, also within a character."""
    for line in path.read_bytes().split(b"\n"):  # texts may have what Python takes for further ends of lines
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and "kind" in row:
            yield row


def _joined(launches: tuple[Launched, ...]) -> tuple[Launched, ...]:
    """Return launches of several processes, those of one kind added."""
    joined: list[Launched] = []
    for launch in launches:
        for at, earlier in enumerate(joined):
            if _form(earlier) == _form(launch):
                joined[at] = replace(
                    earlier,
                    calls=earlier.calls + launch.calls,
                    times_ns=earlier.times_ns + launch.times_ns[1:],
                    busy_ns=earlier.busy_ns + launch.busy_ns[1:],
                    numbers=(),  # they were counted in each process
                    hidden=_hidden(earlier, launch),
                )
                break
        else:
            joined.append(launch)
    return tuple(joined)


def _hidden(*launches: Launched) -> float | None:
    """Return the share of launches that the program hides, over those of which it is known."""
    known = [(one.calls, one.hidden) for one in launches if one.hidden is not None]
    calls = sum(count for count, _ in known)
    return sum(count * hidden for count, hidden in known) / calls if calls else None


def _form(launched: Launched) -> object:
    shapes = tuple((a.name, a.kind, a.dtype, a.shape, a.strides) for a in launched.arguments)
    offset = launched.offset if any(launched.offset) else ()
    return launched.grid, launched.group, offset, launched.constants, launched.compiler, shapes


def _kernel(row: Mapping[str, Any]) -> Captured:
    tuner = row.get("tuner")
    return Captured(
        name=row["entry"],
        entry=row["entry"],
        language=row["language"],
        source="",
        options=tuple(row["options"]),
        path=row["path"],
        line=row["line"],
        last=row.get("last", row["line"]),
        digest=row["digest"],
        refused=row.get("refused", ""),
        search=tuple(row.get("search", ())),
        package=row.get("package", ""),
        uses=row.get("uses", {}),
        device=row["device"],
        versions=row["versions"],
        own=row.get("own", ""),
        folder=row.get("folder", ""),
        native=row.get("native", False),
        interpreted=row["interpreted"],
        tuner=Tuner(configs=tuple(tuner["configs"]), keys=tuple(tuner["keys"])) if tuner else None,
    )


def _launch(row: Mapping[str, Any], count: Mapping[str, Any]) -> Launched:
    return Launched(
        grid=tuple(row["grid"]),
        group=None if row["group"] is None else tuple(row["group"]),
        offset=tuple(row.get("offset", ())),
        arguments=tuple(_argument(item) for item in row["arguments"]),
        constants=tuple(_constant(name, item) for name, item in row.get("constants", {}).items()),
        compiler=tuple(_constant(name, {"value": item}) for name, item in row.get("compiler", {}).items()),
        grids=tuple(Sized(constants=item["constants"], grid=tuple(item["grid"])) for item in row.get("grids", ())),
        calls=count.get("calls", 0),
        times_ns=tuple(count.get("times_ns", ())),
        busy_ns=tuple(count.get("busy_ns", ())),
        numbers=tuple(count.get("numbers", ())),
        threads=max(1, count.get("threads", 1)),
        hidden=count.get("hidden"),
    )


def _constant(name: str, recorded: Mapping[str, Any]) -> Constant:
    ((form, content),) = recorded.items()
    return Constant(name=name, form=form, text=json.dumps(content) if form == "value" else str(content))


def _argument(row: Mapping[str, Any]) -> Given:
    made = row.get("descriptor")
    return Given(
        name=row["name"],
        kind=row["kind"],
        dtype=row.get("dtype", ""),
        shape=tuple(row.get("shape", ())),
        strides=tuple(row.get("strides", ())),
        alias=row.get("alias", ""),
        overlaps=tuple(row.get("overlaps", ())),
        text=str(row.get("value", "")),
        size=row.get("bytes", 0),
        values=row.get("values", ""),
        whole=row.get("whole", False),
        descriptor=Descriptor(tuple(made["shape"]), tuple(made["block"]), tuple(made["strides"])) if made else None,
    )
