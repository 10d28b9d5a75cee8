"""The horse: tables of its skeleton, gaits, actions and body."""
