"""The field: how decks that people played do here, beside what people know about them."""
