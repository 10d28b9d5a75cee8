"""The presets `sung` and `huang`, as in their papers."""
