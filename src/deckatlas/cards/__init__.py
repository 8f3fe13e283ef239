"""What a card is: tables of numbers, and decks made of them.

| module | what |
|---|---|
| `locm` | the 160 cards of Legends of Code and Magic 1.2, and checks on its decks |
| `hearthstone` | Hearthstone's Basic and Classic cards: language, tables, editions, pools, texts |
"""
