"""`canter ...`: thin, every verb calls one public function, and imports what it needs inside, so that help is quick."""

from canter.cli.main import main

__all__ = ["main"]
