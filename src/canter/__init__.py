"""canter: a handful of motion clips of a four-legged animal becomes a character that you can drive."""

__version__ = "0.1.0"
