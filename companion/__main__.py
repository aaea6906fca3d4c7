"""`python -m companion`: the command `companion`."""

from companion.cmd.cli import main

if __name__ == "__main__":
    main()
