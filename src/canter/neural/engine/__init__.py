"""A network for engines: its contract as JSON, and reference loops in plain Python and JavaScript."""
