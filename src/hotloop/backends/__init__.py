"""Compile and launch programs; one file per language; used only inside a worker process."""
