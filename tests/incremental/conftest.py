"""What the tests of incremental builds share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest

sys.path.append(str(Path(__file__).parent))
pytest.register_assert_rewrite("trial.twins")


@pytest.fixture(scope="session", autouse=True)
def parsed() -> Iterator[None]:
    """Templates of equal source are parsed once for all the builds of this process, to know what they name."""
    parse = jinja2.Environment.parse
    known: dict[str, Any] = {}

    def remembered(environment: jinja2.Environment, source: str) -> Any:
        if source not in known:
            known[source] = parse(environment, source)
        return known[source]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "parse", remembered)
        yield
