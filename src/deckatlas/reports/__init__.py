"""Reports: what an experiment's runs come to, as tables and figures beside published numbers."""
