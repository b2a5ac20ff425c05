"""The builders of the tests are found by name here too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "test" / "cli"))
