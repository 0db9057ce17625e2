"""Candidates that must not run in the process that judges them: files in a process of their own, sources as data."""
