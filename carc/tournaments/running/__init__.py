"""Playing the games of a tournament in many processes, here or on a cluster."""
