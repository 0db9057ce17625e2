"""How a kernel file declares implementations: one class per language, each turning itself into an `Implementation`."""
