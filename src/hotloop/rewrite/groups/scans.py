"""The statements of a group whose running sums go through local memory, as one item's: what is put in, one loop that adds up, what is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.groups.alone import alone, bare, dropped, kind_of
from hotloop.rewrite.groups.lockstep import At, Lockstep, Sum, Value, ranges
from hotloop.rewrite.groups.meeting import Group
from hotloop.rewrite.groups.places import PLACE, meets, varying_in, waits
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.staged import arrays as shared

_AT, _HELD = "at", "held"
_LARGEST = 4096
"""Elements that an item may keep for itself: more would be no small part of a thread's stack."""
_UNTOLD = "what local memory holds behind its meetings is no running sum"


@dataclass(slots=True)
class Scans:
    """A kernel with what its places put into local memory, do there, and read from it."""

    posed: Posed
    body: t.Body
    before: t.Body = ()
    section: t.Body = ()
    after: t.Body = ()
    group: Lockstep = field(init=False)
    totals: dict[tuple[str, int, int], str] = field(default_factory=dict)
    """Variables that hold the sum over a range of an array."""

    def __post_init__(self) -> None:
        local = self._local()
        self.body = dropped(self.body, {name for name in local if self.posed.function.argument(name) is None})
        meeting = [number for number, node in enumerate(self.body) if waits(node) or meets(node)]
        if not meeting:
            raise RefusedError("its places do not meet")
        first, last = meeting[0], self._last(meeting, frozenset(local))
        self.before, self.section = self.body[:first], self.body[first:last]
        self.after = self.body[last:]
        self.group = Lockstep(self.posed.group[0], frozenset(local))

    def alone(self) -> Posed:
        """Return the kernel with one item for a group. Raises RefusedError."""
        kinds = {name: kind_of(name, self.posed.function.body, self.posed) for name in self.group.arrays}
        self._begun()
        self.group.all(self.section)
        self.after = tuple(t.renamed(one, self._moved()) for one in self.after)
        read = self._read()
        added = tuple(self._summed(kinds, read))
        self.after = tuple(t.renamed(one, self._ended(t.names_in(*self.after))) for one in self.after)
        made = self._apart((*added, *self._stores()))
        used = t.names_in(*made) & self.group.arrays
        own, names = self._own(kinds, used)
        return replace(alone(self.posed, (*own, *(t.renamed(one, names) for one in made))), apart=True)

    def _last(self, meeting: list[int], local: frozenset[str]) -> int:
        """Return where nothing is left but to read: behind the last statement that writes local memory, and loops in which places meet."""
        loops = [number for number in meeting if not waits(self.body[number])]
        written = [number for number, node in enumerate(self.body) if _targets(node, local) and number > meeting[0]]
        return max(*loops, *written, meeting[0]) + 1 if loops or written else meeting[0] + 1

    def _local(self) -> set[str]:
        """Return the names of local memory."""
        function = self.posed.function
        own = {argument.name for argument in function.arguments if argument.space == "local"}
        for node in t.walk(*function.body):
            if isinstance(node, t.Declare) and {"__local", "local"} & set(bare(node.type).split()):
                own |= {variable.name for variable in node.names if variable.extents}
        if set(shared(function)) - own:
            raise RefusedError("its places have arrays of their own")
        if not own:
            raise RefusedError("it has no local memory")
        return own

    # --- what is put in -------------------------------------------------------------------------------------------------------

    def _begun(self) -> None:
        """Follow what stands before the first barrier as far as it says where local memory is written, and numbers."""
        for node in self.before:
            if isinstance(node, t.Declare) and algebra.is_whole(self.posed.plain(bare(node.type))):
                self._numbers(node)
            if isinstance(node, t.For) and t.names_in(node) & self.group.arrays:
                raise RefusedError("local memory is filled in a loop")
            for target in _targets(node, self.group.arrays):
                for place in range(self.group.size):
                    self.group.put(self.group.element(target, place), place)

    def _numbers(self, node: t.Declare) -> None:
        for variable in node.names:
            for place in range(self.group.size):
                try:
                    self.group.one(replace(node, names=(variable,)), place)
                except RefusedError:  # a number that is not to be seen, which may be of no use between meetings
                    self.group.own[place].pop(variable.name, None)

    def _set(self) -> set[str]:
        """Return the variables that have their values from between the meetings."""
        return t.written_in(*self.section) | t.declared_in(*self.section)

    # --- what is read ---------------------------------------------------------------------------------------------------------

    def _moved(self) -> dict[str, t.Node]:
        """Return what names stand for behind the meetings: pointers that were moved on, and numbers."""
        moved: dict[str, t.Node] = {}
        for name in t.names_in(*self.after) & (self._set() | self.group.arrays):
            values = {repr(own.get(name)): own.get(name) for own in self.group.own}
            value = next(iter(values.values()))
            if isinstance(value, At | int) and (len(values) > 1 or (isinstance(value, At) and value.offset)):
                raise RefusedError(f"behind the meetings {name} differs between places")
            if isinstance(value, At):
                moved[name] = t.Name(value.array)
            elif isinstance(value, int):
                moved[name] = t.Number(str(value))
        return moved

    def _read(self) -> dict[str, dict[int, Sum]]:
        """Return the elements that are read behind the meetings, by array."""
        elements: dict[str, dict[int, Sum]] = {}
        if _targets(t.Block(self.after), self.group.arrays):
            raise RefusedError("local memory is written behind the meetings")
        for node in t.walk(*self.after):
            if isinstance(node, t.Index) and isinstance(node.base, t.Name) and node.base.text in self.group.arrays:
                for place in range(self.group.size):
                    array, at = self.group.element(node, place)
                    self.group.touched.add((array, at))
                    elements.setdefault(array, {})[at] = self.group.memory.get((array, at), Sum({(array, at): 1}))
        return elements

    # --- sums -----------------------------------------------------------------------------------------------------------------

    def _summed(self, kinds: Mapping[str, str], read: Mapping[str, dict[int, Sum]]) -> Iterator[t.Node]:
        changed = {array: one for array, one in read.items() if any(v.parts != {(array, i): 1} for i, v in one.items())}
        rows_of = {array: tuple(ranges(one)) for array, one in changed.items()}
        sources = {source for rows in rows_of.values() for _, source, _, _ in rows if source}
        if len(changed) != 1 or len(sources) != 1:
            raise RefusedError(_UNTOLD)
        (array, rows), source = next(iter(rows_of.items())), sources.pop()
        starts = {start for _, name, start, _ in rows if name}
        if len(starts) != 1:
            raise RefusedError(_UNTOLD)
        start = starts.pop()
        ends = [(at, end if name else start) for at, name, _, end in rows]
        apart = {end - at for at, end in ends}
        if len(apart) != 1:
            raise RefusedError(_UNTOLD)
        total = f"{source}_total"
        if total in t.names_in(*self.body) | t.declared_in(*self.body):
            raise RefusedError(f"it has a variable that is called {total}")
        wide = {"float": "double"}.get(kinds[source], kinds[source])  # steps round seldom, a sum in order each time
        yield t.Declare(wide, (t.Declared(total, t.Number("0")),))
        yield self._loop(kinds, array, source, (start, apart.pop()), ends)

    def _loop(
        self, kinds: Mapping[str, str], array: str, source: str, begin: tuple[int, int], ends: list[tuple[int, int]]
    ) -> t.Node:
        """Return the loop that adds up; of the elements `at`, each with the end of its range."""
        (start, apart), (first, last) = begin, (ends[0][0], ends[-1][0])
        at, total = t.Name(_AT), t.Name(f"{source}_total")
        if ends[0][1] == start:  # the sum of all before
            stop, taken = last + 1, last + 1 + apart
            loaded = t.Index(t.Name(source), _plus(at, apart))
            if (array == source and apart < 0) or not self._there(source, start, taken):
                raise RefusedError(_UNTOLD)
            held = t.Declare(kinds[source], (t.Declared(_HELD, loaded),))
            body: t.Body = (held, _given(array, at, total), t.Do(t.Assign("+=", total, t.Name(_HELD))))
            begin_at = first
        else:
            begin_at, stop, taken = start, ends[-1][1], ends[-1][1]
            below = start + 1 - apart
            if (array == source and apart < 1) or below < 0 or not self._there(source, start, taken):
                raise RefusedError(_UNTOLD)
            added = t.Do(t.Assign("+=", total, t.Index(t.Name(source), at)))
            body = (added, _given(array, _plus(at, 1 - apart), total))
        self.totals[source, start, taken] = total.text
        begun = t.Declare("int", (t.Declared(_AT, t.Number(str(begin_at))),))
        return t.For(begun, t.Binary("<", at, t.Number(str(stop))), t.Postfix("++", at), body)

    def _there(self, array: str, start: int, end: int) -> bool:
        """Tell whether places put a value into each element of a range."""
        return all((array, at) in self.group.filled for at in range(start, end))

    def _ended(self, used: set[str]) -> dict[str, t.Node]:
        """Return the sums that variables hold behind the meetings; where one place has one, the others have nothing."""
        totals: dict[str, t.Node] = {}
        for name in used & self._set() - self.group.arrays:
            values = [own[name] for own in self.group.own if name in own]
            sums = {tuple(sorted(value.parts.items())) for value in values if isinstance(value, Sum)}
            whole = len(sums) == 1 and all(isinstance(value, Sum) for value in values)
            if not whole:
                raise RefusedError(f"{name} is needed behind the meetings")
            totals[name] = t.Name(self._total(values[0]))
        return totals

    def _stores(self) -> Iterator[t.Node]:
        """Yield what single places gave to other memory amid the meetings."""
        targets = [target for target, _, _ in self.group.stored]
        for target, place, value in self.group.stored:
            if targets.count(target) > 1 or t.names_in(target) & (self._set() | self.group.arrays):
                raise RefusedError("several places write other memory amid their meetings")
            given = t.Number(str(value)) if isinstance(value, int) else t.Name(self._total(value))
            yield t.Do(t.Assign("=", t.renamed(target, {PLACE: t.Number(str(place))}), given))

    def _total(self, value: Value) -> str:
        """Return the variable that holds a sum. Raises RefusedError."""
        key = next((tuple(k) for _, *k in ranges({0: value})), None) if isinstance(value, Sum) else None
        if key is None or key not in self.totals:
            raise RefusedError("a sum amid the meetings is needed behind them")
        return self.totals[key]

    # --- the statements of one item ---------------------------------------------------------------------------------------------

    def _apart(self, added: t.Body) -> t.Body:
        """Return what each place did before and behind the meetings as one item does it, with what adds up between."""
        group = Group(self.group.size, {})
        kept, before, after = self._kept()
        first = tuple(group.apart(list(before)))
        group.private -= self.group.arrays | t.declared_in(*kept)
        last = tuple(made for part in _parts(after) for made in group.apart(part))
        made = (*kept, *first, *added, *last)
        unused = {name for name in self.group.own[0] if name not in t.names_in(*made)}
        return dropped(made, unused | (t.declared_in(*self.before) & t.written_in(*self.section)) - t.names_in(*made))

    def _kept(self) -> tuple[t.Body, t.Body, t.Body]:
        """Return arrays for what each place keeps for itself across the meetings, and the statements before and behind with these."""
        own, declared = varying_in(list(self.before)), list[t.Node]()
        names: dict[str, t.Node] = {}
        before: list[t.Node] = []
        for node in self.before:
            match node:
                case t.Declare(
                    type=kind, names=(t.Declared(name=name, value=t.Node() as value, pointer="", extents=()),)
                ) if name in own & t.names_in(*self.after):
                    array = t.Name(f"{name}_each")
                    declared.append(
                        t.Declare(bare(kind), (t.Declared(array.text, extents=(t.Number(str(self.group.size)),)),))
                    )
                    names[name] = t.Index(array, t.Name(PLACE))
                    before.append(t.Do(t.Assign("=", names[name], value), node.line))
                case _:
                    before.append(node)
        taken = t.names_in(*self.body) | t.declared_in(*self.body)
        if names.keys() & (self._set() | t.written_in(*self.after)) or t.declared_in(*declared) & taken:
            raise RefusedError("a variable of each place is needed behind a barrier")
        put = tuple(tuple(t.renamed(statement, names) for statement in body) for body in (before, self.after))
        return tuple(declared), put[0], put[1]

    def _own(self, kinds: Mapping[str, str], used: set[str]) -> tuple[t.Body, dict[str, t.Node]]:
        """Return declarations of the memory that was local, and the names that parameters of it have now."""
        declared: list[t.Node] = []
        names: dict[str, t.Node] = {}
        for array in sorted(used):
            name = f"{array}_own" if self.posed.function.argument(array) is not None else array
            size = 1 + max(at for one, at in self.group.touched if one == array)
            if size > _LARGEST:
                raise RefusedError("its local memory is too large for one item")
            declared.append(t.Declare(kinds[array], (t.Declared(name, extents=(t.Number(str(size)),)),)))
            names[array] = t.Name(name)
        return tuple(declared), names


def _parts(body: t.Body) -> Iterator[list[t.Node]]:
    """Yield the statements between barriers."""
    part: list[t.Node] = []
    for node in body:
        if waits(node):
            yield part
            part = []
        else:
            part.append(node)
    yield part


def _plus(node: t.Node, by: int) -> t.Node:
    return node if not by else t.Binary("+" if by > 0 else "-", node, t.Number(str(abs(by))))


def _given(array: str, at: t.Node, value: t.Node) -> t.Node:
    return t.Do(t.Assign("=", t.Index(t.Name(array), at), value))


def _targets(node: t.Node, arrays: frozenset[str]) -> list[t.Index]:
    """Return the elements of arrays that a statement assigns."""
    targets = [inner.target for inner in t.walk(node) if isinstance(inner, t.Assign)]
    return [target for target in targets if isinstance(target, t.Index) and t.names_in(target.base) & arrays]
