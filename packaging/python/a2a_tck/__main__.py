"""The command ``a2a-tck``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from a2a_tck import command


def main() -> int:
    """Becomes the kit. On Windows, where no process becomes another one, it starts the kit and waits for it."""
    words = command(*sys.argv[1:])
    if os.name != "nt":
        os.execv(words[0], words)
    # Ctrl-C reaches both: the kit ends the run and reports what it knows.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(words)


if __name__ == "__main__":
    sys.exit(main())
