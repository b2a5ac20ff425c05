"""Commands for models: list them, check what fits, import, fetch, quantize."""
