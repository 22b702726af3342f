"""The web application of `carc serve`: tournaments to see, tables to play at. Needs `carc[web]`."""
