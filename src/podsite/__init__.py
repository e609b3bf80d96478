"""podsite: a podcast's website and RSS feed from a folder of YAML files."""

__version__ = "0.1.0"
