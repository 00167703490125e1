"""Games that were finished under earlier versions: they replay to the last hash for ever, undos and fresh dice included.

There is one for each number of players. When a version is released whose rules play otherwise, another set is added beside these.
"""
from __future__ import annotations

import gzip
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bot.domain.results import standings
from bot.operator import cli
from bot.operator.config import Settings
from bot.service import Services
from bot.store import Store
from engine import record
from engine.__main__ import main
from engine.catalog import GAMES, find
from engine.components import known_hashes
from engine.refusals import Faulty

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = sorted(FIXTURES.glob("*-[2-7].jsonl.gz"))
NEW = {"attack", "imperial_struggle"}            # games that no version has been released with


def content(file: Path) -> str:
    return gzip.decompress(file.read_bytes()).decode()


def test_there_is_one_for_every_game_and_number_of_players() -> None:
    released = [spec for spec in GAMES if spec.key not in NEW]
    assert {file.name for file in FILES} >= {f"{spec.key}-{seats}.jsonl.gz" for spec in released for seats in spec.seats}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_an_earlier_game_replays_to_its_end(file: Path) -> None:
    found = record.read(content(file))
    try:
        table = record.replay(found, find(found.header.game))       # every answer, every throw, the state, the result
    except Faulty as why:
        pytest.fail(f"{why} A new field of options or state has to be left out of what is stored while it says nothing "
                    "(exclude_if), and a new ruling needs a version: docs/small-changes.md.")
    assert table.over and found.end.result and found.proves_epochs
    assert found.returns and any(back.fresh for _, back in found.returns)
    ended = standings(table)                                        # what the tables of results are made from
    assert {one.seat for one in ended} == set(table.state.seats) and all(one.place >= 1 for one in ended)
    assert {one.side for one in ended} <= table.spec.words.names(table.parts, table.state).keys()


def test_SOE_12_18_9_a_fort_that_was_named_twice_under_the_earlier_rule_replays() -> None:
    """A game keeps the rulings it began with: a second time the same fort, and the army stays."""
    found = record.read(content(FIXTURES / "fort-named-twice.jsonl.gz"))
    named = [(row.seat, row.answer) for row in found.rows if row.verb == "lose"]
    assert any(first == second and "fort" in first[1] for first, second in pairwise(named))
    table = record.replay(found, find(found.header.game))
    assert table.over and found.header.rules_version == 0 == table.state.rules_version


def test_IS_5_6_8_a_purchase_that_was_underpaid_under_the_earlier_rule_replays() -> None:
    """Step 114 counted a point of an event that lapsed as its action opened, so that a pool fell below 0."""
    found = record.read(content(FIXTURES / "underpaid-after-an-event.jsonl.gz"))
    spec = find(found.header.game)
    table, then = record.replay(found, spec), record.position(found, spec, 114).state
    assert table.over and found.header.rules_version == 1 == table.state.rules_version
    assert [pool.points for pool in then.round.pools if pool.points < 0] == [-1]


def test_the_components_of_earlier_games_are_no_data_pack() -> None:
    for file in FILES:
        header = record.read(content(file)).header
        assert header.hash in known_hashes(find(header.game)), file.name


def test_places_of_equals_are_those_of_the_rule_under_which_a_game_began() -> None:
    """In one all seven have collapsed, two with the same unrest; in the other two have as much land and as many units."""
    for name, before, now in (("struggle_of_empires-7", [1, 2, 3, 4, 5, 6, 7], [2, 2, 4, 5, 6, 7, 8]),
                              ("attack-5", [1, 2, 3, 4, 5], [1, 2, 2, 4, 5])):
        found = record.read(content(FIXTURES / f"{name}.jsonl.gz"))
        spec = find(found.header.game)
        table = record.replay(found, spec)
        places = [place for _, place, _ in spec.rules.standings(table.state)]
        assert [place for _, place, _ in found.end.standings] == places == before
        assert list(spec.views.view(table.state, None).places) == now, "pictures show what is so"


def test_a_record_of_a_later_version_is_refused_by_what_it_is() -> None:
    found = record.read(content(FILES[0]))
    later = replace(found, header=found.header.model_copy(update={"rules_version": 99}))
    with pytest.raises(Faulty, match="a later version of the bot"):
        record.replay(later, find(found.header.game))


@pytest.mark.parametrize("file", [*FILES[:3], FIXTURES / "fort-named-twice.jsonl.gz"], ids=lambda file: file.name)
async def test_an_earlier_game_is_taken_in_and_given_away_again(file: Path, tmp_path: Path) -> None:
    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store)
        row = await services.records.take_in(content(file), by=1, guild=2, channel=3)
        assert await services.records.export(row.id) == content(file)
        lines, pages = await services.queries.history(row.id, page=1)
        assert lines and pages > 1


@pytest.mark.parametrize("game", ["struggle_of_empires", "attack"])
async def test_a_game_that_was_played_at_random_is_kept_as_one_that_can_be_taken_in(game: str, tmp_path: Path) -> None:
    """What the command line wrote and verifies, the bot takes in, and gives away again to the last byte."""
    kept = played_at_random(game, tmp_path)
    with closing(Store(tmp_path / "games.db")) as store:
        services = Services(store)
        row = await services.records.take_in(kept, by=1, guild=2, channel=3)
        assert await services.records.export(row.id) == kept


def played_at_random(game: str, folder: Path) -> str:
    assert main(["selfplay", game, "--seats", "2", "--games", "1", "--keep", str(folder)]) == 0
    (kept,) = folder.glob("*.jsonl")
    assert main(["verify", str(kept)]) == 0
    return kept.read_text(encoding="utf-8")


def test_the_operator_takes_a_game_in_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(_env_file=None, CHANCERY_DATABASE=tmp_path / "games.db")
    Store(settings.database).close()
    (tmp_path / "old.jsonl").write_text(content(FILES[0]), encoding="utf-8")
    where = ["--guild", "8", "--channel", "7", "--owner", "900"]
    assert cli.run(["import", str(tmp_path / "old.jsonl"), *where, "--title", "Friday\x1b[1m"], settings) == 0
    assert capsys.readouterr().out == "Friday[1m is now game 1.\n"
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    for file in ("picture.png", "nothing"):
        with pytest.raises(Faulty, match="can't be read, or isn't text"):
            cli.run(["import", str(tmp_path / file), *where], settings)
