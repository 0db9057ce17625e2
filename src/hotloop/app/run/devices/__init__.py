"""Several devices and records: who measures what, and what others confirm."""
