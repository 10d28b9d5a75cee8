"""The topic `animals`: generated gaits and actions compared with measurements of real animals."""
