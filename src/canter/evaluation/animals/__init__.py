"""The topic `animals`: authored gaits against measured ones."""
