"""One rewrite of a host's loop of launches a file; each has `REWRITE`."""
