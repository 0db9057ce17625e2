"""``hotloop completion``."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  hotloop completion bash >> ~/.bashrc
  hotloop completion zsh >> ~/.zshrc
  hotloop completion fish > ~/.config/fish/completions/hotloop.fish
"""


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def COMMAND(shell: str) -> int:
    """Print the script that makes a shell complete hotloop's verbs, options and families."""
    from click.shell_completion import get_completion_class

    from hotloop.cli.main import COMPLETING, hotloop

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(hotloop, {}, "hotloop", COMPLETING).source())
    return 0
