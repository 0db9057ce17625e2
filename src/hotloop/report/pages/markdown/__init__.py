"""GitHub-flavoured Markdown, for issues, pull requests and files beside results."""

HELP = "Write a Markdown report to this file."
