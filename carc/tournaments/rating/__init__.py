"""Who is better, and how sure that is."""
