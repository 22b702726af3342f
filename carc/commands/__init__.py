"""The program `carc`: one module a group of commands, one home for their options."""
