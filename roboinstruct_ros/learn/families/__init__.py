"""Instructions and programs by families of tasks, with the changes and repairs of a dialogue."""
