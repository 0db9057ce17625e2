"""Programs that overwrite what earlier groups and work-items left in memory: what they find there cannot be counted on."""
