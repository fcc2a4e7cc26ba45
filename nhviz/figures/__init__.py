"""Arrays to plotly figures as plain dicts; one file per kind of picture; never simulates."""
