"""The web application `carc serve`: tournaments to look at, tables to play at. Needs `carc[web]`."""
