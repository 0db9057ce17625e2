"""Machine code as text, Markdown and SARIF."""
