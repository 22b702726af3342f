"""carc: a Carcassonne engine for bots."""

TYPE_CHECKING = False  # type checkers know this name; importing it from `typing` takes 12 ms
if TYPE_CHECKING:
    from carc._names import *

__version__ = "0.2.0"

__all__ = [
    "CHANCE",
    "NO_CHOICES",
    "PASS",
    "TERMINAL",
    "Action",
    "Board",
    "Bot",
    "Choices",
    "Claim",
    "Deal",
    "Draw",
    "Evaluation",
    "Expansion",
    "ExpansionState",
    "FollowerKind",
    "Frontier",
    "Listed",
    "Match",
    "Pass",
    "Place",
    "Rules",
    "SegmentKind",
    "State",
    "Step",
    "Tile",
    "TileSet",
    "majority",
    "play",
    "playout",
    "points_for",
    "random_action",
    "read_record",
    "replay",
    "value",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # for type checkers know the names

    def __getattr__(name: str) -> object:
        """Import the public names on first use: a program that needs few modules starts faster."""
        if name not in __all__:
            raise AttributeError(f"module 'carc' has no attribute {name!r}")
        from carc import _names  # noqa: PLC0415

        globals().update({public: getattr(_names, public) for public in __all__})
        return globals()[name]
