"""Many games at once.

| module | what |
|---|---|
| `stats` | intervals on rates, from independent games and from pairs |
| `ratings` | overall ratings with intervals |
| `sprt` | a sequential test that ends a match once it is decided |
| `times` | what turns took |
| `table`, `hearthstone_table` | one game at a time, between any two players |
| `runner`, `locm_runner`, `hearthstone_runner` | the games of a match, in the core or at the table |
| `match`, `hearthstone` | two entrants over many games: columns and what they say |
| `gauntlet`, `hearthstone_gauntlet` | all entrants against all |
| `averages` | averages of many candidates, with intervals stratified by opponent |
| `hearthstone_suites`, `hearthstone_profiles` | whom decks are evaluated against, and how |
| `hearthstone_courses`, `hearthstone_evaluation` | decks against a suite |
| `referee`, `hearthstone_referee` | games between two external programs |
| `bench` | speed, and the signature of the core's behaviour |
"""
