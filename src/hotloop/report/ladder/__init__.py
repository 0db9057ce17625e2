"""Ladders as text, Markdown, JSON and pictures."""
