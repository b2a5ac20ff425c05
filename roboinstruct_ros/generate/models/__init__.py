"""Files of models: what they are, where they are kept, whether they fit."""
