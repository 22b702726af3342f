"""For programs that learn: positions as arrays, actions as numbers, and the interfaces of other libraries."""
