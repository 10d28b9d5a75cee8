"""A body for every skeleton: one table of radii gives the skin."""
