"""The command line: one module per command or small group, thin over the packages below.

| module | command |
|---|---|
| `main` | the program itself, `deckatlas` |
| `common` | shared by commands: progress, files, the name of the game |
| `game_options` | options, notes and examples that games add to commands |
| `demo` | `deckatlas demo`: a map of decks in about three minutes |
| `matches` | `deckatlas play` and `agents` |
| `gauntlet` | `deckatlas gauntlet`: every entrant against every other |
| `game` | `deckatlas game`: one game as readable text |
| `evaluate` | `deckatlas evaluate`: decks against a suite of opponents |
| `verify` | `deckatlas verify`: replays reference files of other engines |
| `referee` | `deckatlas referee`: two programs against each other |
| `bot` | `deckatlas bot`: our agents as such programs |
| `bench` | `deckatlas bench`: speed and the bench signature |
"""
