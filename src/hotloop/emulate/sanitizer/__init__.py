"""What an execution is watched for: accesses, races, waits, memory that nobody filled; and what is told of it."""
