"""What outlives a session: tasks of the library, recorded runs, refused attempts."""
