"""How a request comes in: sockets, TLS, which pages may ask, and Stop before all else."""
