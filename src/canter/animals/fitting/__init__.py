"""Gaits for a rig that has none, fitted to its proportions: `fit` does all of it."""
