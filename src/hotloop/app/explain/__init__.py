"""Explaining a kernel from files: reading them, and what only a store or a tool's command line can add."""
