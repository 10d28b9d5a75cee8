"""`canter ...`: every verb calls one public function, and imports it inside, so that help starts quickly."""

from canter.cli.main import main

__all__ = ["main"]
