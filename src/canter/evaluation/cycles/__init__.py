"""The topic `cycles`: whether driven animals go where and how they are told."""
