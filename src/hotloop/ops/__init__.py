"""Runtime dispatch for users' programs."""
