"""The rules of the platform: each is held by a test, each number that the code cites exists, and no game's number is cited."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.rulebook import PLATFORM, find_rules, known_words, rules

ROOT = Path(__file__).parent.parent
CITED = re.compile(r"\bP-[0-9]+\b")
HELD = {        # rule -> a test that fails if it is broken
    "P-1": "test_takeback.py::test_an_answer_that_gave_a_secret_away_stays",
    "P-2": "test_takeback.py::test_while_answers_are_sealed_nobody_learns_by_this_who_has_answered",
    "P-3": "test_undo_requests.py::test_everybody_has_to_agree_once_chance_has_shown_something",
    "P-4": "test_undo_requests.py::test_silence_refuses_after_a_day_and_never_before",
    "P-5": "test_verify.py::test_the_export_of_a_finished_game_tells_of_its_rollbacks",
    "P-6": "test_hidden.py::test_whether_another_has_drawn_a_marker_cannot_be_found_out_by_taking_back",
    "P-7": "test_consent.py::test_a_branch_of_a_running_game_asks_the_table",
    "P-8": "test_consent.py::test_a_game_master_who_plays_gives_no_seat_away_without_a_yes",
    "P-9": "test_clock.py::test_a_game_without_a_clock_waits_for_ever",
    "P-10": "test_clock_settings.py::test_time_runs_while_somebody_is_awake",
    "P-11": "test_clock.py::test_when_the_time_is_up_the_default_is_given_and_announced",
    "P-12": "test_reminders.py::test_a_reminder_at_half_time_and_one_before_the_end",
    "P-13": "test_clock.py::test_who_has_given_a_sealed_answer_cannot_be_read_from_the_clock",
    "P-14": "test_more_time.py::test_an_extension_gives_half_the_time_again",
    "P-15": "test_more_time.py::test_a_majority_pauses_the_game_and_lets_it_go_on",
    "P-16": "test_absence.py::test_who_is_away_gets_the_default_at_once_and_at_every_later_question",
    "P-17": "test_time_limits.py::test_ATK_21_2_3_after_two_turns_that_the_clock_ended_a_player_is_away",
    "P-18": "test_reminders.py::test_two_missed_answers_in_a_row_are_told_once_in_three_days",
    "P-19": "test_handover.py::test_a_caretaker_can_take_over_from_a_player_who_vanished",
    "P-20": "test_in_a_name.py::test_an_answer_of_the_game_master_is_told_to_all_and_its_content_to_whose_seat_it_is",
    "P-21": "test_orders.py::test_nobody_else_sees_or_changes_them",
    "P-22": "test_orders.py::test_the_first_line_that_fits_is_used_and_the_order_above_comes_first",
    "P-23": "test_orders.py::test_an_order_learns_what_it_lasts_from_the_position",
    "P-24": "test_orders.py::test_nothing_that_others_can_read_holds_an_order",
    "P-25": "test_orders.py::test_an_order_that_has_become_illegal_leaves_the_question_to_its_seat",
    "P-26": "test_orders.py::test_SOE_22_1_9_a_line_that_raises_must_name_a_highest_bid",
    "P-27": "test_packets.py::test_who_has_ordered_is_invited_like_all_others",
    "P-28": "test_in_a_name.py::test_SOE_21_1_8_nobody_learns_whether_a_sealed_answer_was_in",
    "P-29": "test_consent.py::test_each_look_is_announced_and_who_has_looked_gets_no_seat_without_a_yes",
    "P-30": "test_leaks.py::test_on_discord_nobody_is_shown_anything_of_a_secret",
    "P-31": "test_rights.py::test_no_command_knows_a_game_whose_channel_somebody_does_not_see",
    "P-32": "test_talk.py::test_a_promise_binds_nobody",
    "P-33": "test_verify.py::test_the_page_throws_what_the_bot_throws",
    "P-34": "test_undo.py::test_another_decision_after_an_undo_gets_other_dice_unless_the_table_chose_otherwise",
    "P-35": "test_last_player.py::test_the_game_ends_in_one_transaction_with_its_news",
    "P-36": "test_elimination.py::test_ATK_21_2_3_who_is_away_or_has_resigned_agrees_to_the_end_once_all_others_have",
    "P-37": "test_records.py::test_the_record_and_its_hashes_are_a_private_tap_below_the_result",
    "P-38": "test_consent.py::test_the_whole_record_of_a_game_waits_for_those_that_share_its_past",
    "P-39": "test_mutate.py::test_at_a_table_nothing_counts_that_is_not_listed",
    "P-40": "test_properties.py::test_every_question_has_a_choice_a_default_and_words",
    "P-41": "test_free_seats.py::test_a_free_seat_goes_to_whoever_takes_it_first_with_its_secrets_and_its_question",
    "P-42": "test_free_seats.py::test_who_has_known_another_seat_or_plays_already_gets_none",
    "P-43": "test_stand_ins.py::test_a_stand_in_agrees_plays_in_their_own_name_and_sees_nothing_afterwards",
    "P-44": "test_replacements.py::test_nobody_can_vote_too_early_or_about_whoever_keeps_nobody_waiting",
    "P-45": "test_replacements.py::test_a_vote_never_carries_without_its_number",
    "P-46": "test_no_shows.py::test_a_game_in_which_nothing_has_happened_is_opened_again_without_whoever_did_not_come"}


def shared() -> Iterator[tuple[str, str]]:
    """The files of the program that belong to no game, with their text."""
    for top in ("bot", "engine", "renderer"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if "games" not in path.parts:
                yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_the_numbers_run_without_a_gap() -> None:
    assert [rule.id for rule in rules(PLATFORM)] == [f"P-{number}" for number in range(1, len(rules(PLATFORM)) + 1)]


def test_every_rule_is_held_by_a_test_that_exists() -> None:
    assert set(HELD) == {rule.id for rule in rules(PLATFORM)}
    for rule, held in HELD.items():
        file, _, test = held.partition("::")
        found = [path for path in (ROOT / "tests").rglob(file) if f"def {test}(" in path.read_text(encoding="utf-8")]
        assert found, f"{rule}: no {held}"


def test_every_number_that_is_cited_exists() -> None:
    known = {rule.id for rule in rules(PLATFORM)}
    cited = {(file, number) for file, words in shared() for number in CITED.findall(words)}
    assert len({number for _, number in cited}) > 10 and [one for one in sorted(cited) if one[1] not in known] == []


def test_what_games_share_cites_the_rules_of_no_game() -> None:
    prefixes = {rule.id.partition("-")[0] for spec in GAMES for rule in rules(spec.key)}
    assert len(prefixes) == len(GAMES)
    of_a_game = re.compile(rf"\b(?:{'|'.join(sorted(prefixes))})-[0-9]")
    assert [file for file, words in shared() if of_a_game.search(words)] == []


@pytest.mark.parametrize("game", [*(spec.key for spec in GAMES), PLATFORM])
@pytest.mark.parametrize("wanted", ["P-7", "p7", " p-7. "])
def test_a_rule_is_found_by_its_number_in_every_game(game: str, wanted: str) -> None:
    assert [rule.id for rule in find_rules(game, wanted, "first")] == ["P-7"]


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_rules_are_found_by_what_they_are_about_beside_those_of_the_game(spec: GameSpec) -> None:
    key, books = spec.key, "+".join(edition.key for edition in spec.editions)
    assert [rule.id for rule in find_rules(key, "undo", books)][:8] == [f"P-{number}" for number in range(1, 9)]
    assert "P-12" in [rule.id for rule in find_rules(key, "reminders at night", books)]
    assert find_rules(key, "7", books) and not any(rule.id.startswith("P-") for rule in find_rules(key, "7", books))
    assert "vacation" in known_words(key, "vacatoin", books)


def test_numbers_of_no_rule_find_nothing() -> None:
    assert find_rules(GAMES[0].key, "P-999", "first") == []
