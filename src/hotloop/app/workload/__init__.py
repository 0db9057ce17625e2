"""From a program's calls to tuned shapes: traces read, lines ordered by what the whole gains, tuned one after the other."""
