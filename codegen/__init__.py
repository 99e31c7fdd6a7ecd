"""Makes everything that follows from the canonical schemas, the rules and the examples."""

import sys
from pathlib import Path

# the package as it lies beside this one, not one that is installed
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
