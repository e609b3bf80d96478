"""`python -m podsite` is the `podsite` command."""

from podsite.cli import program

if __name__ == "__main__":
    program()
