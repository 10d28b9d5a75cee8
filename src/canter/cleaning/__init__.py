"""Cleaning clips: standing feet planted, loops closed, animals put on the ground."""
