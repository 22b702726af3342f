"""What people and programs read of a tournament: boards, pages, exports, progress."""
