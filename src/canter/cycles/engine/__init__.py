"""What all presets share: the frame, leg timing, the library of cycles, stride laws, gait graph, sampling, placement."""
