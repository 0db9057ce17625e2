"""Configuration search: enumerating spaces and asking for the next configuration to try."""
