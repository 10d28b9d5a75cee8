"""From a row of a gait table and any standing animal to one stride."""
