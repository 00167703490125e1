"""Something that was done on Discord, done again without it: what would be sent goes nowhere, and an error comes out as it is."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Namespace
from pydantic import BaseModel

from bot.discord.client import Chancery, make_bot
from bot.discord.components import press, typed
from bot.discord.errors import REHEARSED
from bot.service import Services
from engine.kernel import GameSpec

NOBODY: Any = {"id": 1, "username": "nobody", "discriminator": "0", "avatar": None}
COMMAND, COMPONENT, TYPING = 2, 3, 4    # Discord's types of interactions; the fourth that comes here is a form


class Scene(BaseModel):
    """What was done, by whom and where; see `bot.discord.errors.scene`."""

    type: int
    data: dict[str, Any]
    guild: int | None
    channel: int | None
    user: int
    name: str
    permissions: int


async def repeat(services: Services, games: Sequence[GameSpec], was: Scene) -> None:
    """Do it again in these games. Raises whatever it raises."""
    client = make_bot(services, games)
    client._connection.user = discord.ClientUser(state=client._connection, data=NOBODY)
    interaction = SilentInteraction(was, client)
    data: Any = was.data
    if was.type == COMMAND:
        await _command(client, interaction, data)
    elif was.type == TYPING:
        await _suggest(client, interaction, data)
    elif was.type == COMPONENT:
        await press(interaction, data["custom_id"], data.get("values", ()))
    else:
        await press(interaction, data["custom_id"], typed(data))


async def _command(client: Chancery, interaction: SilentInteraction, data: Any) -> None:
    if "target_id" in data:
        await _menu(client, interaction, data)
        return
    command, options = client.tree._get_app_command_options(data)
    try:
        await command._invoke_with_namespace(interaction, Namespace(interaction, data.get("resolved", {}), options))
    except app_commands.CommandInvokeError as failed:
        raise failed.original from None


async def _menu(client: Chancery, interaction: SilentInteraction, data: Any) -> None:
    """An entry of a message's Apps menu; of the message only its number was kept."""
    menu = client.tree.get_command(data["name"], type=discord.AppCommandType.message)
    assert isinstance(menu, app_commands.ContextMenu), "there is such an entry"
    try:
        await menu._invoke(interaction, discord.Object(data["target_id"]))
    except app_commands.CommandInvokeError as failed:
        raise failed.original from None


async def _suggest(client: Chancery, interaction: SilentInteraction, data: Any) -> None:
    command, options = client.tree._get_app_command_options(data)
    found = Namespace(interaction, data.get("resolved", {}), options)
    interaction._cs_command, interaction._cs_namespace = command, found
    await command._invoke_autocomplete(interaction, next(option["name"] for option in options if option.get("focused")), found)


class SilentInteraction(discord.Interaction[Chancery]):
    """An interaction whose answers nobody hears."""

    _cs_command: Any
    _cs_namespace: Any

    def __init__(self, was: Scene, client: Chancery) -> None:
        user = {"id": was.user, "username": was.name, "discriminator": "0", "avatar": None, "global_name": was.name}
        member = {"user": user, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0,
                  "permissions": str(was.permissions)}
        here = {"guild_id": was.guild, "member": member} if was.guild is not None else {"user": user}
        payload: Any = {"id": 1, "application_id": 1, "type": was.type, "data": was.data, "token": "", "version": 1,
                        "attachment_size_limit": 0, **here}
        state: Any = client._connection
        super().__init__(data=payload, state=state)
        self._channel = was.channel
        self.extras[REHEARSED] = True

    @property
    def channel_id(self) -> int | None:
        channel: int | None = self._channel
        return channel

    @property
    def response(self) -> Any:
        """What is answered first goes nowhere."""
        return SilentResponse()

    async def edit_original_response(self, **_: Any) -> Any:
        """What is answered then goes nowhere: into no message."""
        return discord.Object(0)


class SilentResponse:
    """Takes any answer."""

    def is_done(self) -> bool:
        return True

    async def _nowhere(self, *_: Any, **__: Any) -> None:
        """The answer is lost."""

    defer = send_message = send_modal = edit_message = _nowhere
