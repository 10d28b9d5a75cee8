"""How learned controllers do in closed loop, beside the others."""
