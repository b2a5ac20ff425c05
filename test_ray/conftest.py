"""The builders of the tests are found by name here too, and by the processes of the cluster."""

import os
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_BUILDERS = [str(_HERE), str(_HERE.parent / "test" / "evaluate")]
sys.path += _BUILDERS
os.environ["PYTHONPATH"] = os.pathsep.join([*_BUILDERS, os.environ.get("PYTHONPATH", "")])
