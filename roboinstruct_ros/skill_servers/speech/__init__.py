"""The robot's voice and hearing: `say` and `ask`; all parts except `node` are plain Python."""
