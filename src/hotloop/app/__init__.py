"""Use cases; `session` does all wiring."""
