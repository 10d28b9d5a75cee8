"""What all presets share: state, cycle library, stride laws, gait graph and the frame loop."""
