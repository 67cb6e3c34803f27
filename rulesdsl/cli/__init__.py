"""The command line: `rulesdsl COMMAND …`.

Nothing is imported before it is needed, so that `rulesdsl --help` answers at once: a command is a line in
`registry.COMMANDS` that says where its function lives. A new command needs that line and a click command,
nothing else; mistakes are raised as exceptions and turned into messages and exit codes in one place
(`failures`).
"""

from __future__ import annotations


def main() -> None:
    """The entry point of the installed program."""
    from rulesdsl.cli.group import commands

    commands.main(prog_name="rulesdsl")
