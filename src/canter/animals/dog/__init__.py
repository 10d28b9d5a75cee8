"""The dog: tables of its skeleton, gaits, actions and body."""
