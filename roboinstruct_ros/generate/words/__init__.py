"""What the words of an instruction reveal without a model."""
