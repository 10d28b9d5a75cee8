"""The turtle: tables of its skeleton, gaits and body."""
