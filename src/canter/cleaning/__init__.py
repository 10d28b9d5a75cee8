"""Cleaning clips: feet that stand still, loops that close, animals on the ground."""
