"""Entry point of the console script `roboinstruct`; imports nothing before it takes Ctrl-C."""

INTERRUPTED = 130


def main() -> None:
    """Run the command line. Ctrl-C while it is imported ends as Ctrl-C in a command."""
    try:
        from roboinstruct_ros.cli import main as command_line
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    command_line()
