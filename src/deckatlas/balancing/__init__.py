"""The balance lab: what a patch does to a metagame, and how sure that is.

A *study* plays known decks under both editions, searches for new decks under both, and solves the metagame of
both. Every number is asked as a *question*; its answer is a sentence with an interval and a p value that allows for the
number of questions. Nothing here knows a game: a game provides the `Subject` of a study.
"""
