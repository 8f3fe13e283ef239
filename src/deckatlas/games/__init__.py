"""The rules as Python sees them.

| module | what |
|---|---|
| `locm` | states and actions of Legends of Code and Magic: new games, texts, what a state prints |
| `locm_position` | positions built by hand, from plain dictionaries |
| `locm_verify` | replays reference traces and scenarios of other engines |
| `locm_record` | a whole game as text that replays exactly |
"""
