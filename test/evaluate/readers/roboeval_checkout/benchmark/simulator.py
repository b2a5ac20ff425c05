"""A miniature of the module that has a checkout's worlds."""

import numpy as np


class State:
    def __init__(self):
        self.locations, self.objects, self.agents = [], {}, {}
        self.robot_location = ""
        self.position = np.zeros(2)

    def at(self, place):
        self.robot_location = place
        return self

    def having(self, *places):
        self.locations += places
        return self

    def thing(self, place, *labels):
        self.objects.setdefault(place, []).extend(labels)
        return self

    def person(self, place, name, *answers):
        self.agents.setdefault(place, []).append((name, list(answers)))
        return self
