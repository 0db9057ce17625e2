"""Facts about processors as data, each number with unit and source."""
