"""Networks that animate: features of takes, data sets, training (PyTorch), and controllers that run on ONNX alone."""
