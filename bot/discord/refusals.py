"""What a refusal of Discord means, by the code that it gives: each call that can be refused asks here."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import aiohttp
import discord

from engine.refusals import Refusal
from engine.text import template

NO_CHANNEL: Final = 10003       # unknown channel
ANSWERED: Final = 40060         # this interaction has been acknowledged
TOO_LATE: Final = (ANSWERED, 10062, 10015, 50027)       # or: it is unknown, or its token is, since its time is over
HASTY: Final = 40003            # direct messages are opened too fast
OFTEN: Final = 30046            # a message older than an hour was changed too often
ASLEEP: Final = 50083           # the thread has been put away
UNTAGGED: Final = 40067         # a post in this forum must have a tag
INVALID: Final = 50035          # something about the request, which the text tells
UNWELL: Final = 429             # HTTP: too many requests; above it, the server's own faults

Meaning: TypeAlias = Literal[
    "gone",             # the channel, message or member isn't there any more
    "forbidden",        # to the bot, until somebody changes that
    "impossible",       # there: a rule or a limit of the place
    "content",          # not with these words or files
    "later",            # nothing is wrong with it: Discord or the network is busy or unwell
    "fault"]            # anything else: the bot asks something that makes no sense

CODES: Mapping[Meaning, frozenset[int]] = {
    # unknown channel, server, member, message, user, whatever; invalid recipients: the account is deleted
    "gone": frozenset({*range(10_001, 10_100), 50033}),
    # missing access, closed direct messages, verification level, missing permissions, no server in common, banned, no second
    # factor, a locked thread
    "forbidden": frozenset({50001, 50007, 50009, 50013, 50278, 40007, 60003, 160005}),
    # as many pins, channels, members of a thread, tags, threads as can be; a kind of channel that can't have it; a tag is needed
    "impossible": frozenset({30003, 30013, 30033, 30048, 50024, ASLEEP, 40066, UNTAGGED, 160006, 160007}),
    # explicit content, forbidden words in a name, too large, AutoMod (a message, a title), harmful links
    "content": frozenset({20009, 20031, 40005, 50045, 200000, 200001, 240000}),
    # slow mode, limits of writing, an overload
    "later": frozenset({20016, 20022, 20028, 20029, OFTEN, HASTY, 40062, 130000})}
MEANINGS: Mapping[int, Meaning] = {code: means for means, codes in CODES.items() for code in codes}
STATUSES: Mapping[int, Meaning] = {         # of an answer whose code says nothing; the first: of a token that was reset
    401: "later", 403: "forbidden", 413: "content"}

SENTENCES: Mapping[int, str] = {
    20016: template("Slow mode keeps me from doing that here just now. Try again in a while, or choose another place."),
    20031: template("Discord doesn't allow a word of this name. Choose another one."),
    30013: template("This server has as many channels as Discord allows. Delete one, or choose this channel or a new thread."),
    30033: template("This thread has as many members as Discord allows."),
    40066: template("This forum requires a tag on each post, and only its moderators can use those it has. Give me *Manage "
                    "Threads* there, or choose another place."),
    UNTAGGED: template("This forum requires a tag on each post, and it has none of mine. Add a tag **Open** to it, or choose "
                       "another place."),
    160006: template("This server has as many active threads as Discord allows. Close one first."),
    160007: template("This server has as many active threads as Discord allows. Close one first."),
    200000: template("This server's AutoMod blocks what I want to write. Its moderators can allow it."),
    200001: template("This server's AutoMod blocks this title. Choose another one, or ask a moderator to allow it.")}
CATEGORY: Final = template("This category has as many channels as Discord allows. Delete one, or choose this channel or a new "
                           "thread.")
OTHERS: Mapping[Meaning, str] = {
    "gone": template("What I need for this is gone from Discord: a channel, a message or a member."),
    "impossible": template("Discord doesn't allow this here."),
    "content": template("Discord doesn't let me post this.")}


def meaning(error: BaseException) -> Meaning:
    known: Meaning | None = None
    if isinstance(error, discord.HTTPException):
        known = "impossible" if _full(error) else MEANINGS.get(error.code) or STATUSES.get(error.status)
    return known or ("later" if unwell(error) else "fault")


def unwell(error: BaseException) -> bool:
    """True if Discord or the network is at fault, and no part of the bot."""
    if isinstance(error, discord.HTTPException):
        return error.status >= UNWELL
    return isinstance(error, (aiohttp.ClientError, ConnectionError, TimeoutError))


def lasting(error: BaseException) -> bool:
    """True if the same request will be refused again, until somebody changes something, and nobody has made a mistake."""
    return meaning(error) not in ("later", "fault")


def unreachable(error: BaseException) -> bool:
    """True if a member can't be written to directly, so that the news go to the channel: the account is gone, it takes no
    messages, or Discord thinks that too many are opened."""
    return lasting(error) or getattr(error, "code", 0) == HASTY


def undone(error: BaseException) -> bool:
    """True if what was asked has surely not been done."""
    return isinstance(error, discord.HTTPException) and error.status <= UNWELL


def too_late(error: BaseException) -> bool:
    """True if Discord says that an interaction cannot be answered any more: nobody is left to be told."""
    return isinstance(error, discord.HTTPException) and error.code in TOO_LATE


def explained(error: BaseException) -> Refusal | None:
    """The cause and the way on, for whoever asked for what Discord refuses; None if a permission is missing, if it can be tried
    again at once, or if the bot is at fault."""
    if not isinstance(error, discord.HTTPException):
        return None
    words = CATEGORY if _full(error) else SENTENCES.get(error.code) or OTHERS.get(meaning(error))
    return None if words is None else Refusal(words)


def _full(error: discord.HTTPException) -> bool:
    """True if a category has as many channels as it can have, for which there is no code."""
    return error.code == INVALID and "parent_id: Maximum" in error.text
