"""Animals with weight: bodies for MuJoCo, batched simulation, and policies that move them."""
