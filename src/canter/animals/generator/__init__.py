"""From a row of a table and any standing animal to motion: `gaits.generate`, `actions.generate_action`,
`stand_loop`."""
