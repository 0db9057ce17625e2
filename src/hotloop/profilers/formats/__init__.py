"""File formats of profilers: one folder for each tool."""
