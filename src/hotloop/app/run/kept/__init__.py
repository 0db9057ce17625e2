"""What a run leaves: its record, patches, seals, and what of it can be watched."""
