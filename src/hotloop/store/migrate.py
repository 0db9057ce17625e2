"""Bring a database to the current schema: create it, upgrade it, or say why neither is possible."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, select

from hotloop.errors import StoreError
from hotloop.store import schema
from hotloop.store.location import HINT
from hotloop.version import VERSION

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

_SCRIPTS = Path(__file__).parent / "migrations"
_VERSION = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a database holds before anything is done to it."""

    version: str | None
    """Schema version; None when there is no hotloop schema."""
    foreign: bool
    """True when it holds tables, but not those of hotloop."""


def standing(connection: Connection) -> Standing:
    """Look at a database without changing it."""
    tables = set(inspect(connection).get_table_names())
    if schema.VERSION_TABLE in tables:
        return Standing(connection.scalar(select(schema.version.c.version_num)), foreign=False)
    # A server's database may well be shared, a file has one purpose.
    clash = tables if connection.dialect.name == "sqlite" else tables & set(schema.metadata.tables)
    return Standing(None, foreign=bool(clash))


def check(standing: Standing, where: str, *, read_only: bool) -> None:
    """Refuse what must not be touched or cannot be used.

    Raises:
        StoreError: another program's database, a newer schema, or, to read only, an empty or older one.
    """
    if standing.foreign:
        raise StoreError(f"{where} is a database of another program and was left as it is: {HINT}.")
    if standing.version is not None and not _VERSION.fullmatch(str(standing.version)):
        raise StoreError(
            f"the store {where} has a schema version that no hotloop writes and was left as it is: {HINT}."
        )
    if standing.version is not None and standing.version > schema.HEAD:
        raise StoreError(
            f"the store {where} has schema {standing.version}, newer than schema {schema.HEAD} of this hotloop "
            f"{VERSION}: upgrade hotloop, or {HINT}."
        )
    if read_only and standing.version is None:
        raise StoreError(f"the store {where} is empty: run something that records first, or {HINT}.")
    if read_only and standing.version != schema.HEAD:
        raise StoreError(
            f"the store {where} has schema {standing.version}, older than schema {schema.HEAD} of this hotloop, and is opened "
            f"read-only: open it once for writing to upgrade it, or {HINT}."
        )


def bring_up(connection: Connection, standing: Standing) -> None:
    """Create or upgrade the schema inside the caller's transaction, so that a failure leaves the old one."""
    if standing.version is None:
        create(connection)
    elif standing.version != schema.HEAD:
        upgrade(connection, standing.version)


def create(connection: Connection) -> None:
    """Create all tables at once, without Alembic, and stamp the version."""
    schema.metadata.create_all(connection)
    connection.execute(schema.version.insert().values(version_num=schema.HEAD))


def scripts() -> ScriptDirectory:
    """Return the shipped revisions."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(_SCRIPTS))


def upgrade(connection: Connection, current: str | None, target: str = schema.HEAD) -> None:
    """Run the revisions after `current` up to `target`, in order; None starts from an empty database."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.util import CommandError

    directory = scripts()
    try:
        steps = list(directory.iterate_revisions(target, current or "base"))
    except CommandError as error:
        raise StoreError(f"a store of schema {current} cannot be upgraded to schema {target}: {HINT}.") from error
    context = MigrationContext.configure(connection, opts={"version_table": schema.VERSION_TABLE})
    with Operations.context(context):
        for script in reversed(steps):
            script.module.upgrade()
            context.stamp(directory, script.revision)
