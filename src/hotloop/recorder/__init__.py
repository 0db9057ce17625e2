"""What records kernel launches inside a user's program; nothing but the standard library, and what the program itself loads."""
