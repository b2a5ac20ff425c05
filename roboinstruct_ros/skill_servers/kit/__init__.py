"""What every skill server is made of."""
