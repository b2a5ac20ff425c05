"""How a model is run: in this process or behind a server, one protocol for all."""
