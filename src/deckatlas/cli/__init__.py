"""The command line: one file a command, thin over the packages below.

| module | command |
|---|---|
| `main` | the program itself, `deckatlas` |
| `common` | what commands share: progress, files, the name of the game |
| `game_options` | options, notes and examples that games add to commands |
| `demo` | `deckatlas demo`: something worth watching |
| `matches` | `deckatlas play` and `agents` |
| `gauntlet` | `deckatlas gauntlet`: all entrants against all |
| `game` | `deckatlas game`: one game as readable text |
| `evaluate` | `deckatlas evaluate`: decks against a suite of opponents |
| `verify` | `deckatlas verify`: replays reference files of other engines |
| `referee` | `deckatlas referee`: two programs against each other |
| `bot` | `deckatlas bot`: our agents as such a program |
| `bench` | `deckatlas bench`: speed and the bench signature |
"""
