"""What depends on the DDS implementation: its transport and its security."""
