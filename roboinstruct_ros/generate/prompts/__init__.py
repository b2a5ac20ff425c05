"""What a model is given to read."""
