"""`rulesdsl completion`: the script that teaches a shell to complete commands and games."""

from __future__ import annotations

import os
from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", required=False, type=click.Choice(SHELLS))
def completion(shell: str | None) -> None:
    """Print the completion script for SHELL (default: the shell you are using).

    \b
    bash:  rulesdsl completion bash >> ~/.bashrc
    zsh:   rulesdsl completion zsh >> ~/.zshrc
    fish:  rulesdsl completion fish > ~/.config/fish/completions/rulesdsl.fish
    """
    from click.shell_completion import get_completion_class

    from rulesdsl.cli.group import commands

    wanted = shell or Path(os.environ.get("SHELL", "")).name
    if wanted not in SHELLS:
        raise UsageError(f"name your shell: {', '.join(SHELLS)}")
    cls = get_completion_class(wanted)
    assert cls is not None
    click.echo(cls(commands, {}, "rulesdsl", "_RULESDSL_COMPLETE").source())
