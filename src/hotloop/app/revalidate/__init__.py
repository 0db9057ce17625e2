"""After an upgrade of compiler, driver or library: which winners still hold, and new ones for those that lost."""
