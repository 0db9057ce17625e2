"""Launches in a program's own files, changed with the text of its kernel."""
