"""The command line: one file a command, thin over the packages below.

| module | command |
|---|---|
| `main` | the program itself, `deckatlas` |
| `common` | what commands share: errors, progress, the name of the game |
"""
