"""The topic `rigs`: whether anatomy and gaits of unknown rigs are detected correctly."""
