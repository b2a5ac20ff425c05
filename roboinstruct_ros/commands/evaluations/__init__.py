"""Commands for evaluations: run, resume, compare, report."""
