"""The type variable of `Expansion`: not compiled, for the compiler knows no defaults of those."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from carc.base.position.expansion_state import ExpansionState

    S_co = TypeVar("S_co", bound=ExpansionState, default=ExpansionState, covariant=True)
else:
    from typing import TypeVar

    S_co = TypeVar("S_co", covariant=True)
