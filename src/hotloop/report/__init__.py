"""From recorded runs to terminal, Markdown, HTML and JSON."""
