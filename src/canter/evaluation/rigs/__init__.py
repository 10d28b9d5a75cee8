"""The topic `rigs`: whether unknown rigs are read correctly."""
