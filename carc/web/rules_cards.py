"""The games and expansions to choose from: a picture and a sentence each, and what a choice means.

All of it comes from the words of the expansions (`carc.drawing.words`), their tiles and pieces.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import attrs

from carc.base.expansions.base_game import Base
from carc.base.expansions.expansion import Expansion
from carc.base.expansions.spec import load, registered
from carc.base.game.rules import Rules
from carc.base.tiles.tile import Tile
from carc.drawing import artwork, tiles_by_name
from carc.drawing.board_svg import piece_svg
from carc.drawing.geometry import SIZE
from carc.drawing.pieces import Piece
from carc.drawing.style import style
from carc.drawing.tile_svg import tile_svg
from carc.drawing.words import Words, words_of
from carc.errors import BadRules, CarcError

LONG_GAME = 140
"""Tiles from which a game is called long."""
MANY_EXPANSIONS = 4
"""More expansions than these are called many."""
_MINUTES_PER_TILE = 0.5
_OPTIONS = re.compile(r"\s*([a-z0-9_]+)\s*=\s*([a-z0-9_]+)\s*")
_NAMES = re.compile(r"(?:^|\+)\s*([a-z][a-z0-9_]*)(?::([a-z0-9]+))?(?:\(([^()]*)\)?)?")


@attrs.frozen
class OptionMenu:
    """An option to choose from a menu.

    Attributes:
        name: Its name in a spec.
        title: What is chosen.
        values: Each allowed value with its words, the default first.
    """

    name: str
    title: str
    values: Mapping[str, str]


@attrs.frozen
class RulesCard:
    """A game or an expansion to choose.

    Attributes:
        name: The name in a spec.
        words: What it is called, what it changes, and how that is told.
        is_game: Whether it is a game of its own rather than an expansion.
        arguments: What may follow the name after a colon; empty if nothing must.
        options: The options.
    """

    name: str
    words: Words
    is_game: bool
    arguments: Sequence[str]
    options: Sequence[OptionMenu]


@attrs.frozen
class Choice:
    """What chosen rules mean.

    Attributes:
        spec: The spec in its standard form; as it was written if it cannot be played.
        title: The game and its expansions by their titles; empty if it cannot be played.
        error: Why it cannot be played; empty if it can.
        facts: The size of the game, in a sentence.
        cautions: Sentences about what is odd.
    """

    spec: str
    title: str = ""
    error: str = ""
    facts: str = ""
    cautions: tuple[str, ...] = ()


def card_words(name: str, expansion: Expansion) -> Words:
    """Return the words of an expansion; one without is told by name and by its docstring."""
    words = words_of(expansion)
    first_line = (type(expansion).__doc__ or "").strip().partition("\n")[0]
    return attrs.evolve(
        words,
        title=words.title or name.replace("_", " ").capitalize(),
        summary=words.summary or first_line,
    )


@lru_cache(maxsize=1)
def cards() -> tuple[RulesCard, ...]:
    """Return all games, then all installed expansions by title. Broken ones are left out."""
    made = [_card("base", Base())]
    for name, point in registered().items():
        try:
            made.append(_card(name, load(point)))
        except BadRules:
            continue
    made.sort(key=lambda card: (not card.is_game, card.words.title.removeprefix("The ")))
    return tuple(made)


def _card(name: str, expansion: Expansion) -> RulesCard:
    words = card_words(name, expansion)
    return RulesCard(
        name,
        words,
        type(expansion).STANDALONE,
        tuple(expansion.arguments()),
        tuple(
            _menu(option, values, words.options.get(option, {}))
            for option, values in expansion.options().items()
        ),
    )


def _menu(option: str, values: Sequence[str], words: Mapping[str, str]) -> OptionMenu:
    title = words.get("title", option.replace("_", " ").capitalize())
    return OptionMenu(option, title, {value: words.get(value, value) for value in values})


def options_in(spec: str) -> dict[str, dict[str, str]]:
    """Return the options that a spec sets, by name of game or expansion."""
    return {
        match[1]: {
            found[1]: found[2]
            for part in match[3].split(",")
            if (found := _OPTIONS.fullmatch(part))
        }
        for match in _NAMES.finditer(spec)
        if match[3]
    }


def names_in(spec: str) -> dict[str, str]:
    """Return the names in a spec with their arguments, whether it is valid or not."""
    return {match[1]: match[2] or "" for match in _NAMES.finditer(spec)}


def title_of(spec: str) -> str:
    """Return the titles of a game and its expansions."""
    titles = {card.name: card.words.title for card in cards()}
    return " + ".join(
        f"{titles.get(name, name)}{f', level {argument}' if argument else ''}"
        for name, argument in names_in(spec).items()
    )


@lru_cache(maxsize=64)
def terms_of(spec: str) -> Mapping[str, str]:
    """Return the sentences that explain what is special to the expansions of a spec, by name."""
    names = names_in(spec)
    return {
        term: sentence
        for card in cards()
        if card.name in names
        for term, sentence in card.words.terms.items()
    }


def chosen_spec(form: Mapping[str, str], game: str, expansions: Sequence[str]) -> str:
    """Return the spec of a game and expansions, with arguments and options from a form."""
    known = {card.name: card for card in cards()}
    words = []
    for name in [game, *expansions]:
        argument = form.get(f"{name}-argument", "")
        chosen = [
            f"{option.name}={value}"
            for option in (known[name].options if name in known else ())
            if (value := form.get(f"{name}.{option.name}", ""))
            and value != next(iter(option.values))
        ]
        word = f"{name}:{argument}" if argument else name
        words.append(f"{word}({','.join(chosen)})" if chosen else word)
    return "+".join(words)


def explain(spec: str, players: int, most: int) -> Choice:
    """Return what the rules of a spec of `most` characters or fewer mean for so many players."""
    if len(spec) > most:
        return Choice(spec[:most], error=f"A rules spec has at most {most} characters.")
    try:
        rules = Rules.cached(spec, players)
    except CarcError as error:
        return Choice(spec, error=f"{str(error)[:1].upper()}{str(error)[1:]}.")
    tiles = sum(tile.copies for tile in rules.catalogue.tiles)
    minutes = max(10, round(tiles * _MINUTES_PER_TILE / 10) * 10)
    return Choice(
        rules.spec,
        title=title_of(rules.spec),
        facts=f"{tiles} tiles, about {minutes} minutes.",
        cautions=tuple(_cautions(rules, tiles)),
    )


def _cautions(rules: Rules, tiles: int) -> list[str]:
    names = names_in(rules.spec)
    words = {card.name: card.words for card in cards()}
    sentences = [
        sentence
        for name in names
        if name in words
        for other, sentence in words[name].cautions.items()
        if other in names
    ]
    count = len(names) - 1
    if count > MANY_EXPANSIONS:
        sentences.append(f"{count} expansions at once are hard to keep in mind.")
    if tiles >= LONG_GAME:
        sentences.append("This will be a long game.")
    return sentences


@lru_cache(maxsize=256)
def picture(name: str) -> str:
    """Return the picture of a game or expansion as SVG; raise `LookupError` if there is none."""
    card = next((card for card in cards() if card.name == name), None)
    if card is None:
        raise LookupError(name)
    tile = _tile(card)
    drawing = "" if tile is None else tile_svg(tile)
    if card.words.piece:
        drawing += _piece(card.words.piece)
    elif tile is None:
        drawing += f'<g transform="translate(50 50)scale(3)">{artwork.token(name)}</g>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f"<style>{style('auto')}</style>"
        f'<defs><clipPath id="c-box"><path d="M0 0h{SIZE}v{SIZE}h-{SIZE}z"/></clipPath></defs>'
        f"{drawing}</svg>"
    )


def _piece(kind: str) -> str:
    is_neutral = artwork.drawing("piece", kind) != ""
    drawn = (
        piece_svg(Piece(kind=kind, x=0, y=0, segment=None, owner=None), "")
        if is_neutral
        else artwork.figure(kind, 2, False)
    )
    return f'<g transform="translate(50 54)scale(2.1)">{drawn}</g>'


def _tile(card: RulesCard) -> Tile | None:
    """Return the tile of a card's picture: the declared one, or the most decorated it adds."""
    rules = _sample_rules(card)
    if rules is None:
        return None
    tiles = tiles_by_name(rules)
    if card.words.tile in tiles:
        return tiles[card.words.tile]
    old = set() if card.is_game else set(Rules.cached("base").tile_names)
    added = [tile for tile in tiles.values() if tile.name not in old]
    return max(added, key=_decorations, default=None)


def _decorations(tile: Tile) -> int:
    return len(tile.symbols) + sum(len(segment.marks) for segment in tile.segments)


def _sample_rules(card: RulesCard) -> Rules | None:
    """Return rules with the game or expansion of a card, with the first game that allows it."""
    games = [each for each in cards() if each.is_game]
    starts = [f"{each.name}:{each.arguments[0]}" if each.arguments else each.name for each in games]
    specs = (
        [start for start, game in zip(starts, games, strict=True) if game == card]
        if card.is_game
        else [f"{start}+{card.name}" for start in starts]
    )
    for spec in specs:
        try:
            return Rules.cached(spec)
        except CarcError:
            continue
    return None
