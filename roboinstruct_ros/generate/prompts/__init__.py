"""The prompts of a model."""
