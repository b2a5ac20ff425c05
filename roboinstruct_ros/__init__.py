"""Plain words to verified robot programs: generate, verify, approve, execute, trace."""
