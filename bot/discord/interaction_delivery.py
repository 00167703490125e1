"""What the network does to interactions: answers that are lost on the way, and interactions that come twice or too late."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import aiohttp
import discord

from bot.discord.context import Interaction
from bot.discord.refusals import ANSWERED
from bot.domain.recent import Recent

PAUSES = (0.1, 0.5)             # seconds before further attempts: an interaction waits three seconds for its first answer


def tracing(doubtful: Recent, refused: Counter[str]) -> aiohttp.TraceConfig:
    """Counts the requests that Discord `refused`, by status ("none": there was no answer), and notes the interactions of which an
    answer was sent that may have arrived although no success was reported.

    The library itself tries again after a server's fault, and tells nobody.
    """
    async def ended(_: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestEndParams) -> None:
        if request.response.status >= 400:
            refused[str(request.response.status)] += 1
        if request.response.status >= 500:
            note(request.url.parts)

    async def failed(_: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestExceptionParams) -> None:
        refused["none"] += 1
        note(request.url.parts)

    def note(path: tuple[str, ...]) -> None:
        match path:
            case *_, "interactions", id, _, "callback" if id.isdecimal():
                doubtful.note(int(id))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


async def surely(interaction: Interaction, attempt: Callable[[], Awaitable[object]]) -> None:
    """Give the first answer to an interaction, again if it got lost on the way.

    That it has been given already, after an attempt of ours, means that this attempt has arrived. Before one it means that
    another process has taken the interaction. Raises HTTPException, ClientError or OSError: it could not be given.
    """
    for pause in (*PAUSES, None):
        try:
            await attempt()
        except discord.HTTPException as refused:
            if refused.code == ANSWERED and interaction.id in interaction.client.doubtful:
                return
            if refused.status < 500 or pause is None:
                raise
        except (aiohttp.ClientError, OSError):
            if pause is None:
                raise
        else:
            return
        interaction.client.doubtful.note(interaction.id)
        await asyncio.sleep(pause)
