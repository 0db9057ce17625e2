"""Matrix instructions: shapes, cost, and which lane and register holds which element."""
