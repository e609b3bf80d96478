"""What the tests of incremental builds share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
pytest.register_assert_rewrite("trial.twins")
