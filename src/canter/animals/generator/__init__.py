"""From a row of a table and any standing animal to motion: gaits, actions and the loop of standing."""
