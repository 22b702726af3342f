"""The build's own modules lie at the top of the project, behind whatever carc is tested."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
