"""The sentences that a page offers to try: those that were proven on the map of now."""
