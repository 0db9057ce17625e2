"""Where candidates run: the isolated worker process and its parent-side handle."""
