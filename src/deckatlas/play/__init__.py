"""Many games at once.

| module | what |
|---|---|
| `stats` | intervals on rates, from independent games and from pairs |
| `table` | one game at a time, between any two players |
| `match` | two entrants over many games: columns and what they say |
| `gauntlet` | all entrants against all |
| `referee` | games between two external programs |
| `bench` | speed, and the signature of the core's behaviour |
"""
