"""From evidence to ranked findings."""
