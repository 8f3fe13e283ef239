"""Papers: a folder for each, with the reports that reproduce its tables and figures."""
