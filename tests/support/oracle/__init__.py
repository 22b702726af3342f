"""An independent referee in plain Python, which the engine is compared with."""
