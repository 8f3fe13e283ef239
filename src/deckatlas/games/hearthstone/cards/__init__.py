"""Hearthstone's Basic and Classic cards, declared in a small language; docs/cards.md teaches it.

| module | what |
|---|---|
| `language` | what card authors write |
| `druid` ... `warrior`, `neutral`, `hall_of_fame`, `tokens` | the effects of all cards |
| `table`, `cards.csv`, `tokens.csv` | what a card is, and the numbers of all cards |
| `editions` | editions, and patches that make one of another |
| `pools` | named lists of cards that a class can use |
| `texts` | a card's text for people |
| `decks`, `deck_codes`, `deck_files`, `measures` | decks, and how people write them |
| `nouns`, `verbs`, `happenings`, `deeds` | the words of the language |
| `terms`, `walks`, `parse` | how effects are kept and read |
| `check`, `check_steps`, `limits` | the mistakes that cards can have |
| `compile`, `entries`, `codes` | how they are compiled |
"""
