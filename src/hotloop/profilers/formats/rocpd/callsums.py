"""Calls of functions and copies that a rocpd database holds, summed in the database."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.profilers.sqlitefile import Database, quoted
from hotloop.profiles.profile import Calls, Tally


def calls(opened: Database, run: str) -> Iterator[Calls]:
    """Yield the calls of one run by class and name."""
    strings, events, copies = ("rocpd_string" + run, "rocpd_event" + run, "rocpd_memory_copy" + run)
    regions = "rocpd_region" + run
    if strings not in opened.tables:
        return
    text = _text(opened, strings)
    if regions in opened.tables and events in opened.tables:
        query = (
            'SELECT e."category_id", r."name_id", count(*), total(r."end" - r."start"), min(r."end" - r."start"), '  # noqa: S608
            f'max(r."end" - r."start") FROM {quoted(regions)} r JOIN {quoted(events)} e ON e."id" = r."event_id" '
            'WHERE r."end" >= r."start" GROUP BY 1, 2'
        )
        yield from _summed(opened, query, text)
    if copies in opened.tables:
        query = (
            'SELECT NULL, "name_id", count(*), total("end" - "start"), min("end" - "start"), max("end" - "start") '  # noqa: S608
            f'FROM {quoted(copies)} WHERE "end" >= "start" GROUP BY 2'
        )
        yield from _summed(opened, query, text)


def _text(opened: Database, strings: str) -> dict[object, str]:
    return {number: str(text) for number, text in opened.rows(f'SELECT "id", "string" FROM {quoted(strings)}')}  # noqa: S608


def _summed(opened: Database, query: str, text: dict[object, str]) -> Iterator[Calls]:
    for category, name, count, total, least, most in opened.rows(query):
        numbers = [v for v in (count, total, least, most) if isinstance(v, int | float)]
        if len(numbers) == 4:
            tally = Tally(int(numbers[0]), float(numbers[1]), float(numbers[2]), float(numbers[3]))
            yield Calls(
                text.get(category, "MEMORY_COPY" if category is None else ""), text.get(name, f"name {name}"), tally
            )
