"""A miniature of the module that a checkout's checks are made of."""


class TraceElement:
    def __init__(self, name, value1, value2):
        self.name, self.value1, self.value2 = name, value1, value2


def calls(trace, name):
    """What was said to the calls of a name, in order."""
    return [element.value1 for element in trace if element.name == name]
