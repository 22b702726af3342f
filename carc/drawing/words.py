"""`Words`: what people read of an expansion, from the file `words.toml` beside its module."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import attrs

from carc.base.expansions.expansion import Expansion
from carc.bounded import parse_toml, read_text, shortly
from carc.errors import BadRules
from carc.structured import structured


@attrs.frozen
class Words:
    """What people read of an expansion: when they choose rules, and of its actions.

    A phrase is what a player does, such as `moves the pawn to {place}`. In braces are parts of the
    notation:

    - `{place}`, the segment or tile; `{cell}`, its coordinates;
    - `{figure}`, a follower, with its colour if the notation names one;
    - `{words}`, what else there is, each word by its name in `names`, and of these `{first}` and
      `{last}`;
    - `{other}`, for a word such as `to2`: that segment of the same tile;
    - `{way}`, for a word such as `ns`: the sides of the tile, as it lies;
    - the name of a symbol of the tile: its value there.

    Attributes:
        title: The name on the box.
        summary: What the expansion changes, in one sentence.
        tile: The tile in its picture; by default the most decorated one that it adds.
        piece: The piece or kind of follower in its picture, if any.
        cautions: By the name of a game or another expansion, a sentence that warns of playing this
            one beside it.
        terms: By the name of a symbol, a mark, a kind of feature, a kind of follower or the verb
            of an action, a sentence that explains it to a player who meets it.
        options: By option, the words of its menu: `title`, what is chosen, and for each value what
            it means. A value without words is shown as it is written in a spec.
        phrases: By verb, or by the whole action, the phrase. An action without one is shown by its
            notation.
        asks: By verb, what a decision asks, such as `move the pawn`. By default that is made of
            the phrase, which must then have no other parts than `{place}`, `{cell}` and
            `{figure}`.
        names: By a name in the notation, such as that of a kind of follower or of segment, what
            people call it.
    """

    title: str = ""
    summary: str = ""
    tile: str = ""
    piece: str = ""
    cautions: Mapping[str, str] = attrs.Factory(dict)
    terms: Mapping[str, str] = attrs.Factory(dict)
    options: Mapping[str, Mapping[str, str]] = attrs.Factory(dict)
    phrases: Mapping[str, str] = attrs.Factory(dict)
    asks: Mapping[str, str] = attrs.Factory(dict)
    names: Mapping[str, str] = attrs.Factory(dict)


@lru_cache(maxsize=256)
def words_of(expansion: Expansion) -> Words:
    """Return the words of an expansion: its own, or those of the expansion that it extends.

    Raises:
        BadRules: They cannot be read, or tell of an option that there is not.
    """
    for cls in type(expansion).__mro__:
        if cls is Expansion:
            break
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        path = Path(file or "").parent / "words.toml"
        if file and path.is_file():
            words = _read(path)
            _check_options(path, words, expansion)
            return words
    return Words()


@lru_cache(maxsize=256)
def _read(path: Path) -> Words:
    try:
        data = parse_toml(read_text(path))
        known = [field.name for field in attrs.fields(Words)]
        for key in data:
            if key not in known:
                raise ValueError(f"unknown key {shortly(key)}; keys are {', '.join(known)}")
        words = structured(Words, data, "the words")
        for option, told in words.options.items():
            if "title" not in told:
                raise ValueError(f"option {option} has no title")
    except (OSError, ValueError) as error:
        raise BadRules(f"{path}: {error}") from None
    return words


def _check_options(path: Path, words: Words, expansion: Expansion) -> None:
    """Refuse words for what cannot be chosen; a variant of an expansion knows only what was."""
    allowed = expansion.options()
    for option, told in words.options.items():
        if option not in allowed and option not in expansion.chosen:
            raise BadRules(
                f"{path}: {expansion.name or 'the expansion'} has no option {option!r};"
                f" it has {' '.join(allowed) or 'none'}"
            )
        for value in told if option in allowed else ():
            if value != "title" and value not in allowed[option]:
                raise BadRules(
                    f"{path}: option {option} has no value {value!r};"
                    f" its values are {' '.join(allowed[option])}"
                )
