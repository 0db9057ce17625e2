"""One file for each schema version, a frozen copy of what changed; never edited after release."""
