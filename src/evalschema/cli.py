"""The command: finds its sub-commands, and gives every way out its own exit status."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from pkgutil import iter_modules
from typing import NoReturn

import click

from evalschema import __version__, commands
from evalschema.console import EXIT_BUG, EXIT_OUTPUT, EXIT_USAGE, OutputError, end_by, safe, say
from evalschema.errors import EvalschemaError, SchemaError, SettingsError, UnknownKindError


class _Commands(click.Group):
    """A group whose commands are the modules of `evalschema.commands`, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = [module.name for module in iter_modules(commands.__path__) if not module.name.startswith("_")]
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f"did you mean `{close[0]}`?" if close else "to check it, write: evalschema check " + safe(args[0])
            raise click.UsageError(f"{error.message} {hint}", ctx) from None


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
def command() -> None:
    """Tell whether result files of agent evaluations can be trusted, and where exactly they can not.

    Start with: evalschema check PATH
    """


class _Stopped(BaseException):
    """The process was asked to end: what is unfinished is cleared away first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main() -> NoReturn:
    """Run the command line and exit."""
    try:
        _prepare()
        _leave(_status())
    except KeyboardInterrupt:
        end_by(signal.SIGINT)
    except _Stopped as stop:
        end_by(stop.number)


def _prepare() -> None:
    # a stream that the caller has closed is None; what nobody reads goes where nothing is kept, but not unnoticed
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        say("evalschema: the output could not be written: standard output is closed")
        sys.exit(EXIT_OUTPUT)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # a console that cannot show a character shows its number, and never makes us fail
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for number in _stops():
        # who has us ignore a signal (nohup) is obeyed
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _stop)
    try:
        os.getcwd()
    except OSError:
        say("evalschema: the current folder is gone: change to one that exists")
        sys.exit(EXIT_USAGE)


def _stops() -> list[signal.Signals]:
    """The signals by which others end us."""
    return [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]


def _stop(number: int, _frame: object) -> NoReturn:
    raise _Stopped(number)


def _status() -> int:
    try:
        result = command.main(standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as wrong:
        # names of files come with whatever is in them, and the words of click show them as they are
        vars(wrong)["message"] = safe(wrong.message)
        try:
            wrong.show()
        except OSError:
            say(f"evalschema: {wrong.format_message()}")
        return EXIT_USAGE
    except click.Abort:
        raise KeyboardInterrupt from None
    except (SettingsError, SchemaError, UnknownKindError) as wrong:
        say(f"evalschema: {safe(str(wrong))}")
        return EXIT_USAGE
    except OSError as failure:  # of what click itself prints: help, versions, usage
        say(f"evalschema: the output could not be written: {failure.strerror or failure}")
        return EXIT_OUTPUT
    except OutputError as failure:
        say(f"evalschema: the output could not be written: {failure}")
        return EXIT_OUTPUT
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except EvalschemaError as bug:
        say(f"evalschema: {safe(str(bug))}")
        return _bug()
    except Exception as bug:
        say(f"evalschema: internal error: {type(bug).__name__}: {safe(str(bug))}; please report it")
        return _bug()


def _bug() -> int:
    if os.environ.get("EVALSCHEMA_DEBUG"):
        import traceback

        traceback.print_exc()
    return EXIT_BUG


def _leave(status: int) -> NoReturn:
    """Exit without Python's own complaint about an output that is gone."""
    try:
        sys.stdout.flush()
    except OSError:
        status = EXIT_OUTPUT
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # from here on there is nothing to clear away
    for number in (signal.SIGINT, *_stops()):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    sys.exit(status)


if __name__ == "__main__":
    main()
