"""Papers: one folder per paper, with the reports that reproduce its tables and figures."""
