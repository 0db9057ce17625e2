"""A self-contained page: no script, no network."""

HELP = "Write a self-contained page to this file."
