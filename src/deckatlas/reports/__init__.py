"""Reports: what finished runs show, as tables and figures beside what was published."""
