"""The rules as Python sees them.

| module | what |
|---|---|
| `locm` | states and actions of Legends of Code and Magic: new games, texts, what a state prints |
| `locm_position` | positions built by hand, from plain dictionaries |
| `locm_record` | a whole game as text that replays exactly |
| `locm_traces` | reference files of other engines: how they are read and checked |
| `locm_verify` | replays such files and says what differs |
"""
