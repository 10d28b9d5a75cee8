"""Jumps out of any gait and into any gait."""
