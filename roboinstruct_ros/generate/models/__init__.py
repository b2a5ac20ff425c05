"""Model files: their formats, where they are stored, and whether they fit in memory."""
