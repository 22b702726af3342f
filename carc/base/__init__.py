"""The core: tiles, board, game and hooks. It names no expansion."""
