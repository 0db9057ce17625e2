"""One rewrite a file; each has `REWRITE`."""
