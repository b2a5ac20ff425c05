"""What can be told from the words of an instruction without a model."""
