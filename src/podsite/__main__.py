"""`python -m podsite` is the `podsite` command."""

from podsite.cli import main

if __name__ == "__main__":
    main()
