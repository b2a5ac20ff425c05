"""The simulated robot and its house."""
