"""Append-only trials and best-known configurations in a SQL database."""
