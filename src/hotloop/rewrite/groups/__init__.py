"""Groups of work-items that meet, as one item."""
