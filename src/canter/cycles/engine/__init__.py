"""What all presets share: frame, leg timing, library of cycles, stride laws, gait graph, sampling, placement."""
