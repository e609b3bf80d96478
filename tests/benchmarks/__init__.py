"""How fast podsite is beside other generators on the same work. From the folder tests/: `python -m benchmarks`."""
