"""The robot's voice and ears: `say` and `ask`, each part plain Python apart from `node`."""
