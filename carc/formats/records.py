"""Records of carc itself, so that they can be given wherever games of other programs can."""

from typing import Final

from carc.base.game.rules import Rules
from carc.errors import BadRecord, CarcError
from carc.formats.imported import Imported
from carc.match.record import read_saved_game, replay

__all__ = ["ENDINGS", "NAME", "import_games", "recognises"]

NAME: Final = "records of carc"
ENDINGS: Final = (".jsonl",)


def recognises(text: str) -> bool:
    """Return whether a text is a record, however damaged: it begins with the format's number."""
    return text.lstrip().startswith('{"carc"')


def import_games(text: str, source: str = "file") -> list[Imported]:
    """Return the one game in a record, of which every line is checked."""
    match, is_finished = read_saved_game(text, source)
    try:
        rules = Rules.from_spec(match.rules, match.players)
    except CarcError as error:
        raise BadRecord(f"{source}:1: {error}") from None
    state = replay(match, rules, source, is_finished=is_finished)
    return [Imported(match, is_finished, state)]
