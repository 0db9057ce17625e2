"""One file per verb; each exposes ``COMMAND``."""
