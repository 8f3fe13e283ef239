"""Hearthstone's Basic and Classic cards, declared in a small language that docs/cards.md explains.

| module | contents |
|---|---|
| `language` | the names that card authors use |
| `druid` ... `warrior`, `neutral`, `hall_of_fame`, `tokens` | the effects of all cards |
| `table`, `cards.csv`, `tokens.csv` | the card type, and the numbers of all cards |
| `editions` | editions, and patches that turn one edition into another |
| `pools` | named lists of cards that a class can use |
| `texts` | readable card texts |
| `decks`, `deck_codes`, `deck_lists`, `deck_files` | decks, and the forms they are written in |
| `measures`, `deck_sheet` | what is known of a deck without playing it |
| `find` | cards by words, class, cost, type and keyword |
| `nouns`, `verbs`, `happenings`, `deeds` | the words of the language |
| `terms`, `walks`, `parse` | how effects are stored and parsed |
| `check`, `check_steps`, `limits` | checks for mistakes in cards |
| `compile`, `entries`, `codes` | the compiler for the core's tables |
"""
