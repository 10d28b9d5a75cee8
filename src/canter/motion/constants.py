"""Physical constants."""

GRAVITY = 9.81
"""Gravitational acceleration in metres per second squared."""
