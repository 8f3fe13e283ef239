"""The training of Hearthstone's rating of positions: play, learn, play better, round by round.

| module | contents |
|---|---|
| `config` | the configuration of a training |
| `decks` | the decks of its games: lists of the library, changed lists, random decks |
| `positions` | the games of a round, and the positions recorded from them |
| `features` | the features of several editions as one numbering |
| `model` | the model that is trained, its files and its weights |
| `measures` | how good predictions are: losses, calibration, a baseline |
| `contents` | checks before the first game; contents in place of paths |
| `rounds` | the loop over rounds, which resumes where it was stopped |
| `adaptation` | a short training under a patch |
| `report` | both in words |
| `storage` | files that are complete or absent |
"""
