"""Bank conflicts of local (shared) memory: how many, where, and which layout has none; by enumeration."""
