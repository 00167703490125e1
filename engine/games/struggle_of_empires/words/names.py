"""The names behind ids: of components, in the words of the edition whose components they are, and as the options wish.

Only some words differ. A slave marker, and what is done for it, is called by the first edition's word, by that of the Deluxe
edition, or neutrally (SOE-10.1.8); Pirates and the revolt are called as tiles are, or as the tokens (SOE-14.1.1, 14.1.2).
"""
from __future__ import annotations

from engine.components import once
from engine.games.struggle_of_empires.components import PIRATES, REVOLT, Parts
from engine.games.struggle_of_empires.options import Options
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.alliance_names import rows

DELUXE = "deluxe"
COMMERCE = "commerce"               # what is done for a slave marker: "enslaving"
COMMERCE_LABEL = "commerce_label"   # the same at the beginning of a label: "Enslave"
ENSLAVE = "enslave"                 # the same as the name of the action
FACES = {"green_check": "a green tick", "orange_arrow": "an orange arrow", "red_cross": "a red cross"}     # SOE-8.4.1
SLAVES = "slaves"                   # the face of such a marker
UNREST, UNREST_MARKERS = "unrest_of_one", "unrest_of_many"          # what costs are counted in: "1 unrest", "2 unrest markers"


def names(components: Parts, state: State | None = None) -> dict[str, str]:
    """Areas, powers, seats, tiles, local alliances, faces of neutral markers; the words that a game's options choose.

    Without a state the components alone decide, by the edition that they belong to.
    """
    known = printed(components) | chosen(components, state.options if state else None)
    return known | {the(PIRATES): "the Pirates", the(REVOLT): f"the {known[REVOLT]}"}


@once
def printed(components: Parts) -> dict[str, str]:
    known = {area.id: area.name for area in components.areas} | {home.id: home.name for home in components.home_countries}
    known |= {marker.face: marker.face_name for marker in components.country_counters}
    alliances = {tile.id: f"{tile.name} alliance" for tile in components.tiles if tile.kind == "alliance"}
    alliances |= {place.id: f"{place.name} alliance" for place in components.local_alliances}
    known |= {tile.id: tile.name for tile in components.tiles} | alliances
    known |= {f"seat_{n}": f"Seat {n}" for n in range(1, 8)}
    known |= {face.id: FACES.get(face.id, face.id.replace("_", " ")) for face in components.far_lands_die}
    known |= {"sea": "at sea", "land": "on land"} | dict(zip(("row_a", "row_b"), rows(components)))
    return known


def chosen(components: Parts, options: Options | None) -> dict[str, str]:
    return _commerce(components, options) | _raiders(components, options) | _unrest(components, options)


def the(side: str) -> str:
    """Whoever fights or is beaten, as in the middle of a sentence: Pirates and the revolt have an article there."""
    return f"the_{side}" if side in TOKENS else side


def _commerce(components: Parts, options: Options | None) -> dict[str, str]:
    if options is not None and options.ui.neutral_wording:
        return {verb: "Africa trade" for verb in (COMMERCE, COMMERCE_LABEL, ENSLAVE)} | {SLAVES: "Africa trade marker"}
    if components.edition == DELUXE:
        return {verb: "Gold Coast commerce" for verb in (COMMERCE, COMMERCE_LABEL, ENSLAVE)} | {SLAVES: "Gold Coast marker"}
    return {COMMERCE: "enslaving", COMMERCE_LABEL: "Enslave", SLAVES: "slave marker"}


def _unrest(components: Parts, options: Options | None) -> dict[str, str]:
    bag = options.unrest.model == "bag" if options is not None else components.edition == DELUXE
    return {UNREST: "unrest marker", UNREST_MARKERS: "unrest markers"} if bag else {UNREST: "unrest", UNREST_MARKERS: "unrest"}


def _raiders(components: Parts, options: Options | None) -> dict[str, str]:
    tokens = options.covert.mode == "tokens" if options is not None else components.edition == DELUXE
    known: dict[str, str] = {token.id: token.name for token in components.covert_tokens} if tokens else {}
    return known | {REVOLT: "Colonial revolt"} if options is not None and options.ui.neutral_wording else known
