"""`evalschema completion`: what makes a shell complete commands, switches, kinds and codes."""

from __future__ import annotations

import click

from evalschema.console import write

# click looks into it before anything else, and answers what the shell asks
_VARIABLE = "_EVALSCHEMA_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  evalschema completion bash > ~/.local/share/bash-completion/completions/evalschema
    zsh:   evalschema completion zsh > "${fpath[1]}/_evalschema"
    fish:  evalschema completion fish > ~/.config/fish/completions/evalschema.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    if script is None:
        raise click.UsageError(f"this version of click completes nothing in {shell}")
    write([script(ctx.find_root().command, {}, "evalschema", _VARIABLE).source() + "\n"])
