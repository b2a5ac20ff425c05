"""Training of models: a base is read, trained by trl and peft, and written as GGUF.

Everything here but `options`, `step` and what they import needs requirements/learn.txt, and runs
in a process of its own (`python -m roboinstruct_ros.learn.training`).
"""
