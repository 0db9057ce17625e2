"""The only place that starts processes and reads environment, clock and settings."""
