"""Maps of elites: archives, what is searched, how it is rated, and the searches that fill a map."""
