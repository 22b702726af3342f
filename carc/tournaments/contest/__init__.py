"""Contests of strangers' bots: admission, publication, verification."""
