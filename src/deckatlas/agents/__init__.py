"""Who plays.

| module | what |
|---|---|
| `spec` | short texts that name an agent and its options |
| `locm` | the registry of Legends of Code and Magic's draft policies and battle agents |
| `entrants` | who takes part in a match, in all the ways one can be written |
| `players` | one interface for agents of the core, Python callables and external programs |
| `hearthstone` | the registry of Hearthstone's agents |
| `hearthstone_pilots`, `hearthstone_players` | who plays its decks, in all the ways one can be written; the interface |
| `hearthstone_protocol` | its text protocol, both ways |
| `locm_protocol` | the official text protocol of Legends of Code and Magic, both ways |
| `locm_seat` | a game as a contest program sees it, and agents of the core as such programs |
| `external` | programs that play over pipes, with time limits (POSIX only) |
"""
