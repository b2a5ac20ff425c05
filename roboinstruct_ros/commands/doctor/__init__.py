"""What is installed, what is missing, and how to mend it."""
