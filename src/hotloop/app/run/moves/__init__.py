"""Which move comes next: the menu, what was seen of it, and what quick looks add."""
