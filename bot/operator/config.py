"""Settings from the environment and a file `.env`; what cannot be used is one sentence that names the variable."""
from __future__ import annotations

import difflib
import os
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.domain.limits import Limits, Quota
from engine.refusals import Faulty
from engine.text import Text, verbatim

PREFIX = "CHANCERY_"
LIMIT = "^[0-9]{1,7}/[0-9]{1,7}$"
LIMITED = "two whole numbers, for a member and for a server, such as 60/600; 0 is no limit"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _limit(name: str, usual: str) -> Any:
    return Field(usual, pattern=LIMIT, validation_alias=f"{PREFIX}LIMIT_{name}", description=LIMITED)


class Settings(BaseSettings):
    """Every setting; its alias is the variable, its description what would work."""

    model_config = SettingsConfigDict(env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True,
                                      hide_input_in_errors=True)

    token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN", description="the bot's token alone, without spaces")
    database: Path = Field(Path("chancery.db"), validation_alias="CHANCERY_DATABASE", description="the name of a file")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", validation_alias="CHANCERY_LOG_LEVEL", description="DEBUG, INFO, WARNING or ERROR")
    log_format: Literal["text", "json"] = Field("text", validation_alias="CHANCERY_LOG_FORMAT", description="text or json")
    backups: Path | None = Field(None, validation_alias="CHANCERY_BACKUPS", description="the name of a folder")
    backup_hours: int = Field(24, ge=0, le=24 * 365, validation_alias="CHANCERY_BACKUP_HOURS",
                              description="a whole number of hours, or 0 for no copies by the clock")
    metrics: str | None = Field(
        None, validation_alias="CHANCERY_METRICS", description="an address of this machine and a port, such as 127.0.0.1:9464")
    presses: str = _limit("PRESSES", "15/300")
    pictures: str = _limit("PICTURES", "120/600")
    films: str = _limit("FILMS", "6/30")
    files: str = _limit("FILES", "20/100")
    hints: str = _limit("HINTS", "60/600")
    previews: str = _limit("PREVIEWS", "300/3000")
    rehearsals: str = _limit("REHEARSALS", "240/24000")
    games: str = _limit("GAMES", "20/500")
    orders: str = _limit("ORDERS", "600/20000")
    sandbox_port: int = Field(
        8800, ge=1, le=65535, validation_alias="CHANCERY_SANDBOX_PORT", description="a whole number from 1 to 65535")
    discord_url: str | None = Field(
        None, validation_alias="CHANCERY_DISCORD_URL", description="an address of this machine, such as http://127.0.0.1:8801")

    @field_validator("token")
    @classmethod
    def _one_word(cls, token: SecretStr | None) -> SecretStr | None:
        words = token.get_secret_value().split() if token is not None else []
        if len(words) > 1:
            raise ValueError
        return SecretStr(words[0]) if words else None

    @field_validator("log_level", mode="before")
    @classmethod
    def _loud(cls, level: Any) -> Any:
        return level.strip().upper() if isinstance(level, str) else level

    @field_validator("log_format", mode="before")
    @classmethod
    def _low(cls, form: Any) -> Any:
        return form.strip().lower() if isinstance(form, str) else form

    @field_validator("discord_url")
    @classmethod
    def _near(cls, url: str | None) -> str | None:
        """The token goes to this address, so it must not leave the machine."""
        if url is not None:
            parts = urlsplit(url)
            if parts.scheme != "http" or parts.hostname not in LOOPBACK or parts.port == 0:     # one beyond the range raises
                raise ValueError
        return url

    @field_validator("metrics")
    @classmethod
    def _on_this_machine(cls, address: str | None) -> str | None:
        """Whoever can ask learns how much is played here."""
        if address is not None:
            parts = urlsplit(f"//{address}")
            if parts.hostname not in LOOPBACK or not parts.port or parts.path:
                raise ValueError
        return address

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Where metrics are served; None: nowhere."""
        if self.metrics is None:
            return None
        parts = urlsplit(f"//{self.metrics}")
        assert parts.hostname is not None and parts.port is not None, "it was checked"
        return parts.hostname, parts.port

    @property
    def limits(self) -> Limits:
        return Limits(**{field.name: Quota(*map(int, getattr(self, field.name).split("/"))) for field in fields(Limits)})

    @property
    def backup_folder(self) -> Path:
        """Where copies of the database go: without a setting, beside it."""
        return self.backups or self.database.parent / "backups"


FORMER = ("CHANCERY_SHARD", "CHANCERY_SOCKETS")
VARIABLES: dict[str, str] = {str(field.validation_alias): field.description or "" for field in Settings.model_fields.values()}


def read(env_file: Path = Path(".env")) -> Settings:
    """The settings; the environment wins over the file, and the file need not exist.

    Raises Faulty with the variable (or the line of the file) and what would work; never with a value.
    """
    for name in (*os.environ, *_names(env_file)):
        if name in FORMER:
            raise Faulty("{name} is no longer a setting: one process plays for all servers, over one file. Remove it. Version "
                         "0.1 makes one file of several (`python -m bot reshard FILE --retire OTHER`).", name=verbatim(name))
        if name.startswith(PREFIX) and name not in VARIABLES:
            near = difflib.get_close_matches(name, VARIABLES, n=1, cutoff=0)
            raise Faulty("{name} isn't a setting. Did you mean {near}?", name=verbatim(name), near=verbatim(near[0]))
    try:
        return Settings(_env_file=env_file if os.path.exists(env_file) else None)
    except ValidationError as why:
        name = str(why.errors()[0]["loc"][0])
        raise Faulty("{name} can't be used. It must be {wanted}.", name=verbatim(name),
                     wanted=verbatim(VARIABLES[name])) from None


def load(env_file: Path = Path(".env")) -> Settings:
    """The settings, or a sentence on the standard error and exit status 2."""
    try:
        return read(env_file)
    except Faulty as why:
        sys.stderr.write(f"{why}\n")
        raise SystemExit(2) from None


def _names(env_file: Path) -> list[str]:
    """The variables that the file sets. Raises Faulty: the file is none, or a line of it says nothing."""
    if not os.path.exists(env_file):            # nor may its folder be looked into, as by a service's user in root's
        return []
    try:
        with env_file.open(encoding="utf-8") as lines:
            bindings = list(parse_stream(lines))
    except PermissionError:
        raise Faulty("The bot may not read {file}. Make the user that the bot runs as its owner.",
                     file=verbatim(env_file.name)) from None
    except (OSError, UnicodeDecodeError):
        raise Faulty("{file} can't be read. It must be a text file in UTF-8.", file=verbatim(env_file.name)) from None
    for binding in bindings:
        if binding.error or (binding.key is not None and binding.value is None):
            raise Faulty("I can't read line {line} of {file}. Write NAME=value, and comments after a #.",
                         line=binding.original.line, file=verbatim(env_file.name))
    return [binding.key for binding in bindings if binding.key is not None]


def shown(path: Path) -> Text:
    return verbatim(str(path))
