"""Diagnosis: what is installed, what is missing, and how to fix it."""
