"""Captured programs: what a recorder saw, as nouns, and the folder that keeps it."""
