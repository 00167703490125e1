"""What is told after a transaction: a pure function of the table, the new rows and what has been told before.

The letters themselves, and what is stored of each kind, are in `bot.domain.letters`.
"""
from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from bot.domain import letters as lt
from bot.domain.turns import Turn, fits, in_turns
from engine import notation
from engine.kernel import Action, Aside, Ask, Entry, Event, GameSpec, Heading, Seat, Table, planned_round
from engine.kernel.events import told as told_of_events
from engine.kernel.game_spec import pictures
from engine.proxies import FORMER, read
from engine.text import LANGUAGE, Language, Reader, Text, joined, say, text, verbatim

BUTTONS = 10            # answers offered as buttons: more would fill more than a screen of a phone
MESSAGE = 2000          # characters of a message
RECENT = 5              # sentences that stay below a standing private message
RUN = 60                # sentences of automatic players that wait for the end of their run
DIGITS = 10             # hexadecimal digits of a choice: 40 bits tell the few answers of one question apart

_readers: WeakKeyDictionary[Table, tuple[int, dict[Language, Reader]]] = WeakKeyDictionary()       # as of their last rows

Told: TypeAlias = tuple[Text, Heading]                  # a sentence, and the turn that it tells of
Posting = Literal["turns", "rounds", "request"]         # when pictures are posted by themselves


class Announced(BaseModel):
    """How far the telling of a game has come; it is stored with the letters, so nothing is told twice or forgotten."""

    row: int = 0                            # the last row whose public sentences have been told
    asked: dict[str, int] = {}              # seat -> `asked_at` of the question that it was last sent
    private: dict[str, str] = {}            # seat -> the standing private message that it was last sent
    last: dict[str, list[str]] = {}         # seat -> the private sentences shown below it
    pictured: int = 0                       # the row of the last pictures, or to which the game has returned since
    marked: int = 0                         # the row since which those were marked
    packet: str = ""                        # the occasion for which answers in advance were last invited
    series: str = ""                        # the decision point for which a form for all answers was last offered
    moved: dict[str, str] = {}              # seat -> when it last answered alone, by itself or by order, which nobody tells apart
    owed: str = ""                          # which pictures wait for the end of a run of automatic players: "board", "turn"
    public: int | None = None               # the last row that everybody may know of (P-28); None: not noted
    round: str = ""                         # the round of turns of the last pictures


@dataclass(frozen=True)
class Announcement:
    """What a transaction adds to the outbox, and what is told then."""

    letters: Sequence[lt.Letter]
    told: Announced
    untold: Sequence[Told]                  # public sentences that wait for the next telling
    outdated: Sequence[str] = field(default=())          # keys whose unsent letters have no sense any more


def choice_id(action: Action) -> str:
    """The action as a button carries it: the first digits of the SHA-256 of its line."""
    return hashlib.sha256(notation.write(action).encode()).hexdigest()[:DIGITS]


def member(user: int) -> Text:
    """A member as a fact of a sentence; 0 is one who has been forgotten."""
    if not user:
        return FORMER
    return verbatim(f"<@{user}>")


def when(moment: str) -> Text:
    """A moment, ISO 8601, as a fact of a sentence: each reader sees it in the own time zone."""
    return verbatim(f"<t:{int(datetime.fromisoformat(moment).timestamp())}:f>")


def reader(spec: GameSpec, parts: Any, state: Any, seats: Iterable[Seat], language: Language | None = None) -> Reader:
    """A reader who knows the names of the components, and how each seat is called now."""
    names, language = dict(spec.words.names(parts, state)), language or LANGUAGE.get()
    plain = Reader(names, language)
    return Reader({**names, **{seat: plain.english(spec.words.seat_name(state, seat)) for seat in seats}}, language)


def reader_of(table: Table, language: Language | None = None) -> Reader:
    """The reader for whom the seats of a table are called as they are now; without a language, in the one spoken now."""
    spoken, known = language or LANGUAGE.get(), _readers.get(table)
    if known is None or known[0] != table.last_no:
        known = _readers[table] = table.last_no, {}
    if spoken not in known[1]:
        known[1][spoken] = reader(table.spec, table.parts, table.state, map(Seat, table.state.seats), spoken)
    return known[1][spoken]


def notice(sentence: Text, who: Reader | None = None, audience: str = lt.PUBLIC) -> lt.Letter:
    """News for all who are in the game's channel: as this reader reads it, or else in the game's language."""
    return (lt.Notice(audience=audience, sentence=sentence) if who is None else
            lt.Notice(audience=audience, text=say(sentence, who)))


def logged(told: Sequence[Told], who: Reader) -> list[lt.Letter]:
    """Return what happened, in letters that are one message each, also when every line in them is struck out."""
    lines, headings, at = list[str](), list[tuple[str, str]](), 0
    for sentence, number in joined(sentence for sentence, _ in told):
        lines.append(say(sentence, who))
        headings.append(_heading(told[at][1], who))
        at += number
    parts = list[lt.Log]()
    for place, (line, heading) in enumerate(zip(lines, headings)):
        turns = in_turns([*((parts[-1].turns or ()) if parts else ()), Turn(*heading, 1)])
        if not parts or not fits([*parts[-1].lines, line], turns):
            parts.append(lt.Log(lines=[line], turns=[Turn(*heading, 1)], first=place, of=len(lines)))
        else:
            parts[-1] = parts[-1].model_copy(update={"lines": [*parts[-1].lines, line], "turns": turns})
    return list(parts) if len(parts) > 1 else [part.model_copy(update={"first": None, "of": None}) for part in parts]


def _heading(turn: Heading, who: Reader) -> tuple[str, str]:
    owner, when = turn
    if when is None:
        return "", ""
    return owner, say(text("{owner} · {when}", owner=owner, when=when) if owner else when, who)


def public_lines(events: Iterable[Event]) -> list[Text]:
    return told_of_events(events)


def told_of(seat: Seat, proxy: str, events: Iterable[Event]) -> list[Text]:
    """The sentences for everybody about an answer; the first of them says so if somebody else gave it in the seat's name."""
    lines, known = public_lines(events), read(proxy)
    return [known.beside(lines[0], seat), *lines[1:]] if known is not None and lines else lines


def final(table: Table, who: Reader, secret: str, commitment: str, automatic: Mapping[Seat, Text]) -> lt.Letter:
    """How the game ended, and the secret with which everybody can repeat its throws; `automatic`: who plays for nobody."""
    standings = [(seat, who.name(seat), place, points) for seat, place, points in table.spec.rules.standings(table.state)]
    result = say(table.spec.words.result(table.state), who)
    return lt.Final(result=result, standings=standings, secret=secret, commitment=commitment,
                    automatic=[(seat, say(name, who)) for seat, name in automatic.items()] or None)


def ranking(end: lt.Final, users: Mapping[Seat, int]) -> list[Text]:
    """The place of each seat with who has played it, line by line: the result says with how many points."""
    played = {seat: member(user) for seat, user in users.items()} | {seat: verbatim(name) for seat, name in end.automatic or ()}
    named = {seat: text("{name}, {player}", name=verbatim(name), player=played[seat]) if seat in played else verbatim(name)
             for seat, name, *_ in end.standings}
    return [text("{place}. {name}", place=place, name=named[seat]) for seat, _, place, _ in end.standings]


def after(table: Table, entries: Sequence[Entry], untold: Sequence[Told], told: Announced, who: Reader, *,
          listeners: Mapping[Seat, Reader], actor: Seat | None = None, again: Collection[Seat] = (), picture: bool = False,
          aloud: bool = False, asking: bool = True, automatic: Collection[Seat] = (), posting: Posting = "turns") -> Announcement:
    """The news after these rows.

    Public sentences wait while the one who acted goes on alone, unless dice were rolled, an event calls for a break or a board,
    an aside is meant for others (a gift, a proposal), or all are to be told (`aloud`): until then they can be taken back.
    `listeners` are the seats whose holders want private messages, and how each reads; those in `again` get theirs even if it has
    not changed. With `picture` the board is shown, whatever has happened. While a game is paused, nobody is asked. `posting` says
    how often there are pictures; the last position of a game has them in any case.

    While none but `automatic` players are awaited, all waits for the end of their run: it is told in one message with its
    pictures. Nobody asks them anything in the channel.

    Nothing here tells an answer by order from one by a person (P-24): the turn goes round in both cases, and of sealed
    answers every seat is asked in public, also one whose order has answered already. Nor does it tell who will answer by order:
    whom a message notifies stands in it for everybody, though no telephone shows it.
    """
    letters: list[lt.Letter] = []
    events = [event for entry in entries for event in entry.events]
    awaited = {question.seat for question in table.waiting()}
    rolled = any(entry.by == "dice" for entry in entries)       # nobody can take back any more what dice have shown
    ordered = {entry.seat for entry in entries if entry.by == "order"} - table.absent - {actor}
    broken = any(isinstance(event, table.spec.rules.breaks) for event in events)
    aloud = aloud or any(isinstance(entry.answer, Aside) for entry in entries)
    lines = [*untold, *((line, entry.turn) for entry in entries for line in told_of(entry.seat, entry.proxy, entry.events))]
    running_on = asking and not table.over and len(lines) < RUN and bool(awaited) and awaited <= {*automatic}
    boards = posting != "request" and table.spec.rules.boards(table.state, events)     # what the board shows is told before it
    if lines and not running_on and (broken or boards or table.over or awaited != {actor} or ordered or rolled or aloud):
        letters += logged(lines, who)
        lines = []
    pictured, marked, shown = told.pictured, told.marked, told.round
    round = table.spec.rules.round(table.state)
    due = broken and (table.over or posting == "turns" or (posting == "rounds" and (not round or round != told.round)))
    owed = "turn" if due or told.owed == "turn" else "board" if boards or picture or told.owed else ""
    if owed and not running_on:
        pictured, marked, turn = table.last_no, told.pictured, owed == "turn"
        shown = round
        letters += [lt.Picture(picture=key, row=pictured, since=marked) for key in _posted(table.spec, turn=turn)]
        owed = ""
    private, last = dict(told.private), dict(told.last)
    for seat, own in listeners.items():
        fresh = [say(line, own) for entry in entries for reached, line in entry.private if reached == seat]
        letters += _standing(table, seat, fresh, private, last, own, again=seat in again)
    packet, span = _packet(table, told, who, {*table.absent, *automatic}) if asking else (None, told.packet)
    letters += [packet] if packet is not None else []
    series = _series(table, who, {*table.absent, *automatic}) if asking else None
    offered = series.point if series is not None else ""
    letters += [series] if series is not None and offered != told.series else []
    there = [question for question in table.asks if question.seat not in automatic and (
        question.in_absence is None or question.seat not in table.absent)]
    put = [question for question in there if question.seat in awaited or _sealed(table, question)
           or told.asked.get(question.seat) == table.asked_at] if asking else []
    alone = all(isinstance(letter, lt.Log) for letter in letters if letter.audience == lt.PUBLIC)
    follower = actor if actor in told.asked and alone else None
    ordering = table.spec.orders
    votes = [question for question in put if ordering is not None and ordering.vote(question.point)]
    letters += [_question(table, question, who, follows=question.seat == follower)
                for question in put if question not in votes and told.asked.get(question.seat) != table.asked_at]
    known = [question.seat for question in votes if told.asked.get(question.seat) == table.asked_at]
    letters += [_ballot(table, votes, known, who)] if len(votes) > len(known) else []
    asked = {question.seat: table.asked_at for question in put}
    outdated = [f"question:{seat}" for seat in told.asked if seat not in asked]
    outdated += [lt.Ballot.kind] if outdated and not votes else []
    row = told.row if lines else table.last_no
    now = Announced(row=row, asked=asked, private=private, last=last, pictured=pictured, marked=marked, packet=span,
               series=offered, moved=told.moved, owed=owed, public=table.public_no, round=shown)
    return Announcement(letters, now, lines, outdated)


def _sealed(table: Table, question: Ask[Any]) -> bool:
    """True if this seat has been asked together with others and has answered, by itself or by order: nobody else knows that."""
    options = [option for kind in question.accepts for option in kind.options(table.state, question.seat)]
    return question.seat not in table.absent and (len(options) > 1 or question.never_alone)


def _posted(spec: GameSpec, *, turn: bool) -> list[str]:
    """The pictures that go to the channel, the board last: all that tell of a turn, or the board alone."""
    board, *others = pictures(spec)
    return [*(picture.key for picture in others if picture.posted and turn), board.key]


def _standing(table: Table, seat: Seat, fresh: list[str], private: dict[str, str], last: dict[str, list[str]], who: Reader, *,
              again: bool) -> Iterable[lt.Letter]:
    """The standing private message of a seat, if it has changed; notes in `private` and `last` what is sent."""
    standing = table.spec.views.private(table.state, seat)
    words = "" if standing is None else say(standing, who)
    if fresh:
        last[seat] = [*last.get(seat, ()), *fresh][-RECENT:]
    if not (fresh or again or words != private.get(seat, "")):
        return
    if not (words or last.get(seat) or seat in private):
        return                              # there is nothing to say, and nothing was said before
    private[seat] = words
    yield lt.Private(audience=seat, seat=seat, text=words or say(text("You have no secrets right now."), who),
                     last=last.get(seat, []))


def _packet(table: Table, told: Announced, who: Reader, absent: Collection[Seat]) -> tuple[lt.Letter | None, str]:
    """An invitation to answer in advance what a new occasion may ask, and the occasion that it was for [P-27].

    It is sent whenever an occasion waits for somebody, and names all who may be asked more than the present question, whatever
    they have ordered or answered under seal. Whoever plays alone keeps nobody waiting.
    """
    ordering = table.spec.orders
    if ordering is None or not table.foreseen or len({*table.state.seats} - {*absent}) < 2:
        return None, ""
    span = next(iter({ordering.spans(table.state, seat).get(ordering.packet, "") for seat in table.foreseen}))
    if span == told.packet:
        return None, span
    now = {question.seat: question.point for question in table.asks}
    active = table.spec.rules.active(table.state)             # whoever acts has prepared the answers before
    seats = [seat for seat, points in table.foreseen.items()
             if seat != active and seat not in absent and set(points) - {now.get(seat)}]
    if not seats:
        return None, span
    words = text("{occasion}. Choose your answers now, in private, so nobody has to wait for you.",
                 occasion=ordering.occasion(table.state))
    asked = [seat for seat in seats if seat in now]
    return lt.Packet(seats=seats, asked=asked, span=span, text=say(words, who)), span


def _series(table: Table, who: Reader, absent: Collection[Seat]) -> lt.Series | None:
    """The offer of a form to all who will be asked several times for answers of one kind, which can be given at once."""
    ordering = table.spec.orders
    found = {seat: series for seat in (ordering.seats(table.state) if ordering is not None else ()) if seat not in absent
             and ordering is not None and (series := ordering.series(table.state, seat)) is not None}
    if len(found) < 2:
        return None
    point, first = next(iter(found.values()))
    asked = [question.seat for question in table.asks]
    return lt.Series(seats=list(found), asked=asked, point=point.no, words=say(first.words, who))


def _ballot(table: Table, votes: Sequence[Ask[Any]], told: list[Seat], who: Reader) -> lt.Letter:
    """One message for all who vote: each of them can answer the same."""
    first = votes[0]
    yes, no = [choice_id(option) for kind in first.accepts for option in kind.options(table.state, first.seat)]
    return lt.Ballot(seats=[question.seat for question in votes], told=told, asked_at=table.asked_at, text=say(first.told(), who),
                     buttons=[(say(text("Agree"), who), yes), (say(text("Refuse"), who), no)])


def _question(table: Table, question: Ask[Any], who: Reader, *, follows: bool) -> lt.Letter:
    options = [option for kind in question.accepts for option in kind.options(table.state, question.seat)]
    secret = any(kind.secret for kind in question.accepts) or planned_round(table, question.seat) != ""
    pieces = [drop for _, drop in table.spec.views.ordered(table.state, question.seat)]         # they are listed in private
    if len(options) > BUTTONS:                          # of many bids none is a button, but to pass is
        options = [option for option in options if not type(option).model_fields] if len(question.accepts) == 2 else []
    buttons = [] if secret else [(say(option.label(), who), choice_id(option)) for option in options if option not in pieces]
    return lt.Question(audience=question.seat, seat=question.seat, asked_at=table.asked_at, text=say(question.told(), who),
                       buttons=buttons, secret=secret, follows=follows)
