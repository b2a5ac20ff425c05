"""Training of models: reads a base, trains it with trl and peft, and writes a GGUF.

Everything here except `options`, `step` and their imports needs requirements/learn.txt, and runs in
a separate process (`python -m roboinstruct_ros.learn.training`).
"""
