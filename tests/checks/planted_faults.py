"""At least one fault against each promise of docs/promises.md, planted on purpose, and who finds it.

Each replaces real functions for a while, as a careless change might. The test that is named must fail while it is planted, and
the instrument, where one looks for this kind, must find it with this effort. docs/planted-faults.md is the table of all;
`python -m bench faults` plants every one and says what found it.
"""
from __future__ import annotations

import asyncio
import os
import secrets
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

from discord.ext import tasks
from tqdm import tqdm

import bot.discord.channels
import bot.discord.game.answering
import bot.discord.game.status
import bot.discord.game_master.commands
import bot.discord.game_master.message_menus
import bot.discord.other_shards
import bot.discord.outbox.sender
import bot.discord.renewal
import bot.discord.responses
import bot.discord.visibility
import bot.domain.announcements
import bot.service.branching
import bot.service.digest
import bot.service.free_seats
import bot.service.gate
import bot.service.incidents
import bot.service.interests
import bot.service.lobby
import bot.service.open_tables
import bot.service.replacements
import bot.service.seats
import bot.service.session
import bot.service.stand_ins
import bot.service.undo
import bot.store.database
import bot.store.guard
import bot.store.meeting
import bot.store.outbox
import bot.store.personal_data
import engine.kernel.questions
import engine.options
import engine.outside
import engine.provenance
import engine.record
import engine.rule_search
import sandbox.server
from bot.discord import components
from bot.discord.client import Chancery
from bot.discord.outbox import Outbox
from bot.discord.outbox.threads import ALL
from bot.discord.periodic import Periodic
from bot.discord.visibility import Sight
from bot.domain.deadlines import Deadline
from bot.domain.letters import LongWait
from bot.domain.limits import Quotas
from bot.domain.recent import Recent
from bot.service.answers import Answers
from bot.service.fair_queue import FairQueue
from bot.service.incidents import Incidents
from bot.service.plans import Plans
from bot.service.queries import Queries
from bot.service.replay_check import Finding
from bot.service.session import Session
from bot.service.undo import Undo
from bot.service.weekly import Weekly
from bot.store import Ledger
from bot.store.bookmarks import Bookmarks
from bot.store.claims import Claim
from bot.store.guard import Guard
from bot.store.moves import Moves
from bot.store.results import Results
from engine.dice import SecretDice
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules import crossings, ending, trade
from engine.games.struggle_of_empires import GAME as EMPIRES
from engine.games.struggle_of_empires.actions import Give
from engine.games.struggle_of_empires.rules import build
from engine.kernel import Action, GameSpec, Table
from engine.orders import Orders
from engine.refusals import Faulty
from engine.text import text
from tests.checks import seeded_leaks, seeded_leaks_attack
from tests.checks.careless_changes import (
    always,
    anybodys_note,
    as_often_as_one_likes,
    as_they_come,
    asking_each_round,
    biased,
    but_the_last,
    by_default,
    by_number,
    by_the_present_rulings,
    from_the_beginning,
    in_nobodys_name,
    in_two_transactions,
    noted,
    nothing_async,
    nothing_to_do,
    oldest_first,
    one_by_one,
    put_anyhow,
    quoting,
    reminding_once,
    same_secret,
    to_who_has_not_ordered,
    unstamped,
    untold_choice,
    unveiled,
    without_epoch,
    without_route,
)
from tests.checks.fault_kinds import Fault, around, by_taps, crashing, leaking, mutating, planted_by
from tests.toy import PEBBLES

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "planted-faults.md"
PLANT = "PLANTED_FAULT"    # in the environment of a test run: the fault that is planted in it
PATIENCE = 900              # seconds for a test; one that does not end finds nothing
FAILED = 1                  # pytest's exit code when a test has failed

SHOWN = "Two games that differ only in one seat's secrets"
LISTED = "A move counts only if the engine lists it"
NO_LEAK = "tests/checks/test_leaks.py::test_SOE_21_1_1_nobody_is_shown_anything_that_depends_on_the_secrets_of_a_seat"
NO_LEAK_OF_A_HAND = ("tests/checks/test_leaks.py::"
                     "test_ATK_20_4_ATK_20_10_ATK_20_11_nobody_is_shown_anything_of_a_hand_a_deck_or_a_sealed_line")

FAULTS: tuple[Fault, ...] = (
    Fault("a move that gave a secret away is undone", "**Undo is fair.**",
          planted_by(bot.service.undo, "learnt", lambda *told: False),
          "tests/bot/test_takeback.py::test_an_answer_that_gave_a_secret_away_stays"),
    Fault("an undo rolls afresh", "**The same decision gets the same dice again**",
          planted_by(Undo, "afresh", lambda self, row: True),
          "tests/bot/test_undo.py::test_the_same_throw_comes_back_after_an_undo"),
    Fault("an order stays used after an undo", "**Whatever belongs to a position comes back with it**",
          around(Ledger, "order_uses", lambda real: lambda self, game, rows: real(self, game, range(10 ** 6))),
          "tests/bot/test_orders.py::test_a_count_is_used_up_and_an_undo_gives_it_back"),
    Fault("a branch rolls the dice of the old game", "**Any step can be the start of another game**",
          around(bot.service.branching, "dice", same_secret),
          "tests/bot/test_branching.py::test_its_dice_are_its_own_and_the_old_throws_stay_as_they_lay"),
    Fault("what was undone is not struck out", "**What was undone is struck out**",
          planted_by(bot.service.undo, "STRUCK", 0),
          "tests/bot/test_undo_requests.py::test_only_the_messages_of_the_rows_that_move_are_struck_out"),
    mutating("a move for an earlier question counts", LISTED, around(Table, "examine", unstamped),
             "tests/checks/test_mutate.py::test_at_a_table_nothing_counts_that_is_not_listed", PEBBLES, 2_000),
    mutating("a card is offered twice while one is held", LISTED, around(trade, "missing", as_often_as_one_likes),
             "tests/games/attack/test_trade.py::test_ATK_17_1_1_a_card_is_not_offered_twice_by_who_holds_one", ATTACK, 4_000),
    mutating("somebody gives what they do not have", LISTED, planted_by(Give, "check", lambda self, state, seat: None),
             "tests/games/struggle_of_empires/test_refusals.py", EMPIRES, 4_000),
    Fault("everybody is a game master", "Who may do what is looked up on the server",
          planted_by(bot.discord.game_master.commands, "require_gm", nothing_async),
          "tests/bot/test_rights.py::test_commands_of_the_game_master_do_nothing_for_a_player"),
    Fault("a contradiction has no way out", "Options that contradict each other are refused",
          planted_by(engine.options, "_refusal", lambda spec, edition, changes: text("No.")),
          "tests/engine/test_options.py::test_a_contradiction_has_ways_out_of_one_or_two_further_changes"),
    Fault("a change of the options is not told", "An edition is a preset", planted_by(bot.service.lobby, "TOLD", -1),
          "tests/bot/test_opening.py::test_who_has_joined_is_told_of_each_change"),
    Fault("who sees what can be changed after somebody has joined", "Who will see what is said before anybody joins",
          untold_choice,
          "tests/bot/test_opening.py::test_who_sees_what_is_told_before_joining_and_stays"),
    leaking("a view", seeded_leaks.LEAKS, SHOWN, 25, NO_LEAK),
    leaking("a line at a height of unrest", seeded_leaks.LEAKS, SHOWN, 200, NO_LEAK),
    leaking("an autocomplete beside other options", seeded_leaks.LEAKS, SHOWN, 50, NO_LEAK),
    leaking("a rehearsal", seeded_leaks_attack.LEAKS, "A rehearsal shows its player nothing", 100,
            "tests/engine/test_rehearsal.py::test_what_others_hide_changes_nothing_in_a_rehearsal"),
    leaking("a menu", seeded_leaks_attack.LEAKS, SHOWN, 50, NO_LEAK_OF_A_HAND),
    leaking("a further letter", seeded_leaks.LEAKS, SHOWN, 50, NO_LEAK),
    Fault("the bag of a branch is that of the old game", "Nobody knows what a bag or a deck will give",
          planted_by(Table, "stir", lambda self: None),
          "tests/bot/test_hidden.py::test_a_branch_cannot_be_used_to_look_into_the_bag_of_the_old_game"),
    Fault("a die that favours low values", "Nobody can predict a roll, or doubt it afterwards",
          around(SecretDice, "__call__", biased),
          "tests/engine/test_verify.py::test_the_page_throws_what_the_bot_throws"),
    Fault("fresh dice show the same", "Nobody can predict a roll, or doubt it afterwards",
          around(SecretDice, "__call__", without_epoch),
          "tests/engine/test_dice.py::test_epoch_number_and_secret_each_make_another_throw"),
    Fault("dice do not depend on what they are rolled for", "After an undo another decision gets other dice",
          planted_by(engine.kernel.questions, "purpose", lambda why, about: why), "tests/test_rolled_for.py"),
    Fault("dice of earlier games go by decision", "Games of earlier versions keep the dice that they had",
          planted_by(engine.options, "by_decision", lambda options: True),
          "tests/bot/test_upgrades.py::test_the_dice_of_earlier_games_go_by_number_as_they_did"),
    crashing("a message in another transaction than its rows", "Killing the process at any moment costs nobody",
             in_two_transactions, "tests/bot/test_crash.py::test_a_small_game_outlives_a_death_in_every_deed", 150),
    crashing("a message that is sent again comes twice", "Killing the process at any moment costs nobody",
             planted_by(Outbox, "put", put_anyhow),
             "tests/bot/test_crash.py::test_a_small_game_outlives_a_death_in_every_deed", 400),
    Fault("a copy that is put back counts its nonces as before", "A copy of the database can be restored",
          planted_by(secrets, "token_hex", lambda size=32: "ab" * size),
          "tests/bot/test_backup.py::test_a_restored_copy_never_repeats_a_nonce_of_the_original"),
    Fault("a message names a request by the number that it had in another file", "A server moves to another file",
          planted_by(Moves, "_renumber_letters", lambda *_: None),
          "tests/bot/test_shards.py::test_a_server_moves_with_every_row_and_the_others_are_untouched"),
    Fault("the shard that gets direct messages plays another game of the member", "With several shards on a machine",
          planted_by(bot.discord.other_shards, "home", lambda what, known, here, *, all_told: here),
          "tests/bot/test_other_shards.py::test_buttons_and_commands_in_a_direct_message_reach_the_game_of_another_shard"),
    Fault("a copy is taken back that was finished", "A server moves to another file",
          around(Moves, "let_go", lambda real: lambda self, guild, above: self.end_move(guild)),
          "tests/bot/test_shards.py::test_a_move_that_was_broken_off_goes_on_or_is_settled_when_bots_start"),
    Fault("games move while something is being done", "A server moves to another file",
          planted_by(bot.service.gate.Gate, "closed", lambda self, patience: nullcontext()),
          "tests/bot/test_other_shards.py::test_a_server_moves_under_running_bots_and_what_comes_from_it_is_handed_over"),
    Fault("a second process takes a shard's place", "No two processes run as one shard",
          planted_by(bot.store.meeting, "present", lambda folder: ()),
          "tests/bot/test_other_shards.py::test_a_place_is_one_process_s_and_what_a_killed_one_leaves_hinders_nobody"),
    Fault("a changed line of a record is not seen", "A finished game can be exported as one file",
          planted_by(engine.record, "_link", lambda chain, body: ""),
          "tests/engine/test_record.py::test_a_changed_line_breaks_the_chain"),
    Fault("a rule plays otherwise than before", "Finished games of earlier versions replay",
          planted_by(build, "MOVES", 3),
          "tests/engine/test_earlier_games.py::test_an_earlier_game_replays_to_its_end"),
    Fault("an agreed moment counts when somebody answers next", "What players agreed on by the clock",
          planted_by(Session, "tell_moments", lambda self, table: None),
          "tests/bot/test_alarms.py::test_an_answer_that_comes_after_the_moment_counts_after_it"),
    Fault("a written turn that stops says nothing", "A written turn that goes no further says before which",
          planted_by(Orders, "halted", lambda self, state, question, options: None),
          "tests/engine/test_orders.py::test_a_written_turn_that_stops_says_before_which_line_and_why"),
    Fault("a list that has opened a form stays as it was", "A form that is cancelled can be opened again",
          planted_by(bot.discord.renewal.Renewals, "renew", nothing_async),
          "tests/bot/test_renewal.py::test_while_a_form_is_open_its_list_is_shown_anew"),
    Fault("an order never answers", "What can be decided in advance",
          planted_by(Orders, "answer", lambda self, state, question, options: None), "tests/engine/test_orders.py"),
    Fault("tables of games that are over stay in memory", "Memory holds only what is alive",
          planted_by(Outbox, "_forget", lambda self, game: None),
          "tests/bot/test_outbox.py::test_nothing_is_kept_of_games_that_are_over"),
    Fault("an impossible action has no reason", "If something is impossible, the bot says why",
          planted_by(Action, "obstacle", classmethod(lambda cls, state, seat: None)),
          "tests/bot/test_panel.py::test_the_panel_lists_what_is_impossible_with_reason_and_rule"),
    Fault("somebody is asked and can answer nothing", "No game comes to a dead end", nothing_to_do,
          "tests/games/struggle_of_empires/test_properties.py"),
    Fault("everybody sees the games of hidden channels", "Who sees a game is decided in one place",
          planted_by(Sight, "_sees", always),
          "tests/bot/test_rights.py::test_no_command_knows_a_game_whose_channel_somebody_does_not_see"),
    Fault("who has left the server stays game master", "Rights are checked at each act",
          planted_by(bot.discord.visibility, "present", always),
          "tests/bot/test_masters.py::test_who_has_left_the_server_is_no_game_master_any_more"),
    Fault("the facts of a button are taken as they come", "A forged button, list or form",
          planted_by(components.Registered, "read", as_they_come),
          "tests/bot/test_forged.py::test_a_word_where_a_number_belongs_is_answered_as_an_old_button"),
    Fault("a button gets another name", "Every button ever posted can be pressed again", partial(without_route, "move"),
          "tests/bot/test_buttons.py::test_a_button_that_was_posted_once_leads_somewhere_for_ever"),
    Fault("inferred values are not listed", "Every value that we made up or inferred",
          planted_by(engine.provenance, "DOUBTS", ("house",)),
          "tests/engine/test_house_values.py::test_every_made_up_or_inferred_value_of_an_edition_is_listed"),
    leaking("a game master who plays", seeded_leaks.LEAKS, "Whoever has known the secrets of one seat", 1,
            "tests/bot/test_consent.py::test_a_game_master_who_plays_or_has_played_looks_at_nobodys_secrets"),
    Fault("the lobby calls every game master neutral", "A host who plays can name a neutral game master",
          around(bot.discord.game.status, "_trust", lambda real: lambda *, plays: real(plays=False)),
          "tests/bot/test_masters.py::test_the_lobby_says_who_is_game_master_and_whether_neutral_after_each_change"),
    Fault("an order answers at once under a veil", "Nobody can tell that a move came from a standing order",
          around(bot.service.session, "Table", unveiled),
          "tests/bot/test_orders.py::test_with_a_veil_one_question_after_the_other_looks_the_same"),
    Fault("the author of an order is not told", "Whoever wrote an order is told",
          planted_by(bot.service.digest, "by_order", lambda answer: text("Something was answered.")),
          "tests/bot/test_orders.py::test_the_author_of_an_order_is_told_when_it_has_answered_and_nobody_else_is"),
    Fault("who has ordered is not invited", "Pings don't show it either",
          around(bot.domain.announcements, "_packet", to_who_has_not_ordered),
          "tests/bot/test_packets.py::test_who_has_ordered_is_invited_like_all_others"),
    leaking("a deal that is blocked", seeded_leaks_attack.LEAKS, "Some questions are for one seat alone", 200,
            "tests/checks/test_leaks.py::test_ATK_20_14_neither_who_deals_nor_what_is_offered_shows_to_anybody_else"),
    Fault("the log quotes an error", "No log, no exception and no incident's sentence quotes a value",
          planted_by(bot.service.session, "tell_log", quoting),
          "tests/bot/test_incidents.py::test_log_and_sentence_hold_no_value"),
    Fault("an answer in somebody's name passes for the seat's", "Every move that somebody else makes for a seat",
          around(Session, "give", in_nobodys_name),
          "tests/bot/test_in_a_name.py::test_an_answer_of_the_game_master_is_told_to_all_and_its_content_to_whose_seat_it_is"),
    Fault("a game master's acts are not noted", "Each look at secrets", planted_by(Ledger, "note", lambda self, *what: None),
          "tests/bot/test_in_a_name.py::test_the_audit_speaks_of_names_and_never_of_ids"),
    Fault("every word of a question is looked for", "Nobody can keep the bot busy at everybody else's expense",
          planted_by(engine.rule_search, "ASKED", 10 ** 6),
          "tests/engine/test_rule_search.py::test_a_question_of_a_thousand_words_costs_no_more_than_one_of_a_few"),
    Fault("nobody counts what is asked for", "Whoever wants very much waits alone",
          planted_by(Quotas, "take", lambda self, kind, asker: None),
          "tests/bot/test_quotas.py::test_who_presses_too_fast_is_told_so_once_and_nobody_else_notices"),
    Fault("whoever asks first gets everything first", "Whoever wants very much waits alone",
          around(FairQueue, "turn", lambda real: lambda self, whose: real(self, None)),
          "tests/bot/test_quotas.py::test_whoever_wants_much_gets_one_and_then_the_others_have_their_turns"),
    Fault("a record may have a field twice", "What comes from outside is read strictly",
          planted_by(engine.outside, "_once", dict),
          "tests/test_outside.py::test_tricks_of_json_are_refused_with_a_sentence"),
    Fault("a key by which a message is found keeps its member's id", "Whoever is forgotten is in no table",
          planted_by(bot.store.personal_data, "WRITTEN",
                     tuple(place for place in bot.store.personal_data.WRITTEN if place != ("outbox", "key"))),
          "tests/bot/test_personal_data.py::test_a_forgotten_member_is_in_no_table_and_in_no_capsule_of_a_finished_game"),
    Fault("letters that were sent stay for ever", "A file grows by what is played",
          planted_by(Ledger, "prune", lambda self, *how: 0),
          "tests/bot/test_growth.py::test_letters_that_nobody_needs_are_forgotten_and_all_that_is_asked_of_them_stays"),
    Fault("a refused letter holds up the whole game", "One person's message delays nobody else's",
          planted_by(bot.discord.outbox.sender, "thread", lambda letter: ALL),
          "tests/bot/test_outbox.py::test_what_is_refused_delays_nobody_else"),
    Fault("a lost acknowledgement counts as refused", "A reply to Discord that is lost on the way",
          planted_by(Recent, "__contains__", lambda self, number: False),
          "tests/bot/test_delivery.py::test_a_lost_acknowledgement_costs_nobody_a_deed"),
    Fault("a full disk is an error of the bot", "Trouble with the file, the clock or Discord",
          planted_by(bot.store.database, "UNWELL", {}),
          "tests/bot/test_faults.py::test_a_press_on_a_full_disk_is_refused_in_a_sentence"),
    Fault("a deleted file goes unnoticed", "Nothing is acknowledged that isn't kept",
          planted_by(Guard, "lost", lambda self: None),
          "tests/bot/test_guard.py::test_nothing_is_acknowledged_that_is_not_kept"),
    Fault("the owner's group may read the file", "Only their owner can read files with secrets",
          planted_by(bot.store.guard, "OTHERS", stat.S_IRWXO),
          "tests/bot/test_guard.py::test_what_others_may_read_becomes_its_owners_alone"),
    Fault("the sandbox opens the file of a real bot", "A start without the token touches no game",
          planted_by(sandbox.server, "claim_of", lambda path: Claim()),
          "tests/bot/test_main.py::test_the_sandbox_leaves_the_file_of_a_bot_on_discord_alone"),
    Fault("a new ruling is applied to games that have begun", "When a ruling changes",
          around(GameSpec, "first_state", by_the_present_rulings),
          "tests/engine/test_earlier_games.py::test_SOE_12_18_9_a_fort_that_was_named_twice_under_the_earlier_rule_replays"),
    Fault("the doctor finds that nothing differs", "A new version takes no game away",
          planted_by(Finding, "same", True),
          "tests/bot/test_doctor.py::test_a_game_that_would_differ_is_named_with_the_first_row_and_what_differs"),
    Fault("time runs while the bot is off", "Time runs only while a player is awake and the bot is on",
          planted_by(Deadline, "forgiven", lambda self, since, now, hours: self),
          "tests/bot/clocks/test_clock.py::test_a_day_offline_costs_nobody_a_turn"),
    Fault("a game without a clock reminds once", "A game without a clock reminds at growing distances",
          around(Deadline, "_reminder", reminding_once),
          "tests/bot/clocks/test_reminders.py::test_a_game_without_a_clock_never_falls_silent"),
    Fault("a loop waits by the wall clock", "If the system clock is set back or far ahead",
          planted_by(Periodic, "_try_sleep_until", tasks.Loop._try_sleep_until),
          "tests/bot/test_wall_clock.py::test_a_loop_waits_by_the_monotonic_clock"),
    Fault("each part of a question has a time of its own", "A question about several things",
          around(crossings, "ask", from_the_beginning),
          "tests/games/attack/test_time_limits.py::"
          "test_ATK_6_2_12_several_crossings_share_the_eight_hours_of_one_question"),
    Fault("a player who is away votes against the end", "Nobody who is away or has resigned can stop the others",
          around(ending, "ask_each", by_default),
          "tests/games/attack/test_elimination.py::"
          "test_ATK_21_2_3_who_is_away_or_has_resigned_agrees_to_the_end_once_all_others_have"),
    Fault("a battle asks in each round", "A battle of many rounds waits for nobody", around(Orders, "answer", asking_each_round),
          "tests/games/attack/test_battle_orders.py::test_a_battle_of_many_rounds_waits_for_nobody"),
    Fault("a step of a menu leads nowhere", "A whole game needs no typing", partial(without_route, "pick"),
          "tests/bot/test_whole_game.py::test_some_turns_of_the_deluxe_edition"),
    Fault("a long reply ends with its first message", "Nothing is silently cut off by a limit of Discord's",
          around(bot.discord.responses, "pieces", lambda real: lambda words, *most: real(words, *most)[:1]),
          "tests/bot/test_ends.py::test_a_long_reply_comes_in_as_many_messages_as_it_takes"),
    Fault("a capsule does not hold what was given", "An error gives the player a number",
          planted_by(bot.service.session, "written", lambda deed, given: {}),
          "tests/bot/test_incidents.py::test_a_capsule_turns_into_the_same_error_again"),
    Fault("a frequent fault pushes others out", "A fault that comes again and again",
          planted_by(Incidents, "_make_room", oldest_first),
          "tests/bot/test_incidents.py::test_faults_of_one_kind_push_no_other_out"),
    Fault("what comes back counts as told", "**Undo, redo and rollback are one line each**",
          planted_by(bot.service.undo, "_heard", lambda log, posted: {row.no for row in log}),
          "tests/bot/test_undo_requests.py::test_what_was_never_told_and_comes_back_is_told_then"),
    Fault("what is planned is noted in the audit", "**A round that is planned in private is free until it is public.**",
          planted_by(Plans, "_store", noted),
          "tests/bot/test_plans.py::test_what_is_planned_leaves_no_trace_but_in_its_own_table"),
    Fault("a game can be started by a command alone", "From the command that opens a game to its first move",
          partial(without_route, "start"), "tests/bot/test_lobby.py::test_a_game_is_played_by_taps_from_the_lobby_on"),
    Fault("questions that are over stay", "A channel holds what has happened", planted_by(Outbox, "_withdraw", nothing_async),
          "tests/bot/test_channel.py::test_a_game_of_four_begins_with_few_messages_and_calls"),
    Fault("the tags of a post stay as they were", "In a forum each game has a post of its own",
          planted_by(Outbox, "_keep_place", nothing_async),
          "tests/bot/test_forums.py::test_tags_follow_the_game_through_an_undo_a_free_seat_a_restart_and_the_end"),
    Fault("pictures have messages of their own", "A turn is one message, with its pictures",
          planted_by(Outbox, "_ends", nothing_async), "tests/bot/test_posting.py::test_a_turn_is_one_message_with_its_pictures"),
    Fault("what the panel has weighed is asked again", "A typical move takes few taps",
          planted_by(bot.discord.game.answering, "weighed_here", lambda table, seat: []),
          "tests/bench/test_taps.py::test_a_typical_turn_takes_the_taps_that_the_page_says", "taps", by_taps),
    Fault("of several moves in one form only the legal ones count", "Several moves in one form",
          planted_by(Answers, "answer_in_turn", one_by_one),
          "tests/bot/test_forms_of_answers.py::test_a_purchase_that_is_too_dear_together_is_not_made_at_all"),
    Fault("nobody is told that all can answer at once", "What each seat decides several times in turn",
          planted_by(bot.domain.announcements, "_series", lambda table, who: None),
          "tests/bot/test_forms_of_answers.py::test_all_seats_place_their_units_at_once_and_each_stands_when_its_turn_comes"),
    Fault("a reply without a button leads nowhere", "No screen is a dead end",
          planted_by(Chancery, "way_back", lambda self, game: None),
          "tests/bot/test_ways_on.py::test_no_screen_is_without_a_way_on"),
    Fault("a change is not noted for the noticeboard", "The noticeboard of a server is one message and always true",
          planted_by(bot.store.outbox, "CHANGE_BOARD", "SELECT 1 WHERE ?"),
          "tests/bot/test_noticeboard.py::test_a_change_is_noted_in_the_transaction_that_makes_it_and_shown_after_a_restart"),
    Fault("the noticeboard names hidden games", "The noticeboard of a server is one message and always true",
          planted_by(bot.discord.visibility, "may_be_read", lambda bot, guild, here, game: True),
          "tests/bot/test_noticeboard.py::test_who_cannot_see_a_game_does_not_read_of_it"),
    Fault("somebody is told of a game at night", "Whoever wants to hear of games is told once of each",
          planted_by(bot.service.interests, "_awake", lambda hours, at: at.isoformat(timespec="seconds")),
          "tests/bot/test_interests.py::test_nobody_is_woken_and_what_has_begun_meanwhile_is_not_told"),
    Fault("a newcomer undoes what the player before did", "A free seat goes to one member",
          planted_by(bot.service.undo, "_own_since", lambda ledger, game, seat: 0),
          "tests/bot/test_free_seats.py::test_whoever_takes_over_undoes_no_move_of_the_player_before"),
    Fault("whoever knows another seat takes a free one", "A free seat goes to one member",
          planted_by(bot.service.free_seats, "knows_besides", lambda circle, seat, user: False),
          "tests/bot/test_free_seats.py::test_who_has_known_another_seat_or_plays_already_gets_none"),
    Fault("a stand-in keeps the seat once it is over", "A stand-in whom a player names",
          planted_by(bot.service.seats, "_home", lambda holder: holder),
          "tests/bot/test_stand_ins.py::test_a_stand_in_agrees_plays_in_their_own_name_and_sees_nothing_afterwards"),
    Fault("whoever knows another seat stands in", "A stand-in whom a player names",
          planted_by(bot.service.stand_ins, "knows_besides", lambda circle, seat, user: False),
          "tests/bot/test_stand_ins.py::test_nobody_stands_in_who_would_know_two_hands"),
    Fault("a step that is sealed still is looked at", "Step by step everybody sees what they may see of that step",
          planted_by(Ledger, "public_newest", Ledger.newest),
          "tests/bot/test_look_back.py::test_answers_that_are_sealed_still_are_no_step_and_nothing_tells_of_them"),
    Fault("a note is everybody's", "Nobody but its writer learns of a note",
          planted_by(Bookmarks, "bookmark", anybodys_note),
          "tests/bot/test_look_back.py::test_a_note_is_shown_with_its_step_and_listed_for_its_writer_alone"),
    Fault("a game that somebody else has played is rated", "How a game has ended is noted with its end",
          planted_by(Results, "_answered_by_others", lambda self, game, seat: False),
          "tests/bot/test_results.py::test_moves_of_others_take_a_seat_out_of_the_tables_but_for_those_of_a_game_master"),
    Fault("whoever stays out is in the next table", "Whoever wants to be in no table leaves no trace",
          planted_by(Results, "unlisted", lambda self, user: False),
          "tests/bot/test_results.py::test_whoever_stays_out_leaves_no_trace_and_can_come_back"),
    Fault("one vote is enough", "A vote to replace a player who is gone",
          planted_by(bot.service.replacements, "carried", lambda ballots, players, needed: any(ballots.values())),
          "tests/bot/test_replacements.py::test_a_vote_never_carries_without_its_number"),
    Fault("a sealed move ends a vote", "A vote to replace a player who is gone",
          around(Ledger, "moved_since", lambda real: lambda *asked: real(*asked[:-1], 1 << 40)),
          "tests/bot/test_replacements.py::test_whoever_has_moved_under_seal_looks_as_silent_as_whoever_has_not"),
    Fault("a game that has begun is thrown away", "Whoever makes no first move loses the seat",
          planted_by(Ledger, "untouched", lambda ledger, game, public: True),
          "tests/bot/test_no_shows.py::test_once_something_has_happened_the_seat_is_free"),
    Fault("the Apps menu asks nobody whether they see the game", "The *Apps* menu of a message",
          planted_by(bot.discord.game_master.message_menus, "seen", by_number),
          "tests/bot/test_message_menus.py::test_a_message_of_no_game_and_one_of_a_game_that_is_not_seen_are_answered_alike"),
    Fault("the chronicle passes over the last row", "The chronicle of a finished game", around(Queries, "story", but_the_last),
          "tests/bot/test_chronicle.py::test_it_follows_from_what_is_in_force_alone"),
    Fault("a summary doesn't wait for the end of the week", "A weekly summary is off unless a server or a member wants it",
          planted_by(Weekly, "_latest", lambda weekly: "9999"),
          "tests/bot/test_weekly.py::test_it_is_off_by_default_due_after_a_week_and_begun_by_one_alone"),
    Fault("the players hear of no long wait", "The players of such a game are told, too",
          around(Ledger, "add_letters", lambda real: lambda ledger, game, no, told, at: real(
              ledger, game, no, [letter for letter in told if letter.kind != LongWait.kind], at)),
          "tests/bot/test_replacements.py::test_the_players_hear_of_whoever_keeps_them_waiting_with_their_game_master"),
    Fault("nobody hears of a game that everybody has left", "No game stands still for more than four days",
          planted_by(Ledger, "standstills", lambda ledger, at, since, seen, told: []),
          "tests/bot/test_standstills.py::test_whoever_looks_after_the_server_hears_of_a_game_that_everybody_has_left"),
    Fault("nobody hears of a game that its game master has paused and forgotten", "No game stands still for more than four days",
          planted_by(Ledger, "long_pauses", lambda ledger, since, seen, told: []),
          "tests/bot/test_standstills.py::test_a_pause_that_its_game_master_has_forgotten_is_told_of_once_a_week_and_ended_by_a_vote"),
    Fault("nobody hears of a seat that has come free", "Whoever wants to hear of games is told once of each",
          planted_by(Ledger, "will_tell_of_seat", lambda ledger, game, told, before: None),
          "tests/bot/test_interests.py::test_a_seat_that_comes_free_is_told_once_and_again_only_after_a_week"),
    Fault("an open game is closed although its host was never asked", "An open game that nobody joins is told of again",
          around(bot.service.open_tables, "_due", lambda real: lambda table, now: "close" if real(table, now) == "ask" else real(
              table, now)), "tests/bot/test_open_tables.py::"
          "test_its_host_keeps_it_and_after_a_long_time_off_nothing_is_closed_unasked"),
    Fault("a thread from before the stop isn't looked for",
          "A thread, post or channel that was opened just before the bot stopped",
          planted_by(bot.discord.channels, "left_thread", lambda *_: asyncio.sleep(0)),
          "tests/bot/test_left_behind.py::test_a_game_is_opened_in_the_place_that_was_made_for_it"),
    Fault("a seat is freed although its game has gone on", "No game stands still for more than four days",
          planted_by(Ledger, "standstill", lambda ledger, game: "9999"),
          "tests/bot/test_standstills.py::test_the_seat_of_a_player_who_is_gone_is_freed_as_long_as_the_game_stands_still"),
)


# --- the instrument -----------------------------------------------------------------------------------------------------

def named(name: str) -> Fault:
    """The fault of this name. Raises Faulty."""
    for fault in FAULTS:
        if fault.name == name:
            return fault
    raise Faulty("There is no planted fault {name}.", name=name)


def fails(fault: Fault) -> bool:
    """Whether the test of a fault fails while it is planted, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder, suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "tests.checks.planting", "-p", "no:cacheprovider",
             f"--basetemp={folder}/tests", fault.test], cwd=ROOT, env={**os.environ, PLANT: fault.name}, capture_output=True,
            check=False, timeout=PATIENCE)
        return done.returncode == FAILED
    return False


def measure(only: str = "", instruments: bool = False) -> dict[str, Any]:
    """Plant every fault of the list, or those whose name holds a word, and see whether its instrument and its test find it."""
    chosen = [fault for fault in FAULTS if only in fault.name]
    missed: list[str] = []
    for fault in tqdm(chosen, unit="fault"):
        if fault.finds is not None:
            with fault.plant():
                if not fault.finds():
                    missed.append(f"{fault.name}: {fault.instrument}")
        if not instruments and not fails(fault):
            missed.append(f"{fault.name}: {fault.test}")
    for line in missed:
        print(f"not found: {line}", file=sys.stderr)
    return {"faults": len(chosen), "by_instruments": sum(fault.finds is not None for fault in chosen), "missed": len(missed)}


def written(faults: Iterable[Fault] = FAULTS) -> str:
    """The page docs/planted-faults.md."""
    rows = [f"| {fault.name} | {fault.promise.strip('*.')} | "
            + (f"`{fault.instrument}`" if fault.instrument else "none: a test is enough")
            + f" | `{fault.test.removeprefix('tests/')}` |" for fault in faults]
    return "\n".join([HEAD, *rows, ""])


HEAD = """# Planted faults

At least one fault is planted on purpose against each promise of [promises.md](promises.md). The table says who finds it, and with
how much effort. `python -m bench faults` plants all of them, runs the tests and, with just this effort, the instruments, and ends
with an error if a fault is missed. The list is `FAULTS` in `tests/checks/planted_faults.py`;
`python -m tests.checks.planted_faults` makes this page from it, and a test compares the two.

| fault | promise | instrument | test |
| --- | --- | --- | --- |"""


if __name__ == "__main__":
    TABLE.write_text(written(), encoding="utf-8")
