"""Alembic revisions of the store, run by `hotloop.store.migrate`; a new schema version is a new file in versions/."""
