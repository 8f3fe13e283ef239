"""`python -m deckatlas`: the command line, by the interpreter that runs it."""

from deckatlas.cli.main import run

if __name__ == "__main__":
    run()
