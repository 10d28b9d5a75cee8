"""Training of networks with PyTorch (the extra `train`)."""
