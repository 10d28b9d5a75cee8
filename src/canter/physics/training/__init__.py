"""Training of policies for simulated animals: PPO from rsl-rl-lib on our environment, checkpoints, and ONNX."""
