"""Settings: defaults, what cannot be used and how that is said, and a token that stands nowhere."""
from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

import pytest

from bot.domain.limits import Quota
from bot.operator.config import VARIABLES, Settings, load, read
from engine.refusals import Faulty

TOKEN = "MTA5.Gx7.very-secret"
EXAMPLE = Path(__file__).parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CHANCERY_") or name == "DISCORD_TOKEN"]:
        monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".env"


def test_without_a_file_everything_has_its_default(file: Path) -> None:
    settings = read(file)
    assert (settings.token, settings.database, settings.log_level, settings.sandbox_port, settings.discord_url) == (
        None, Path("chancery.db"), "INFO", 8800, None)


def test_the_environment_wins_over_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(f"DISCORD_TOKEN={TOKEN}\nCHANCERY_DATABASE=games.db\nCHANCERY_LOG_LEVEL=debug\n")
    monkeypatch.setenv("CHANCERY_DATABASE", "other.db")
    settings = read(file)
    assert settings.token is not None and settings.token.get_secret_value() == TOKEN
    assert (settings.database, settings.log_level) == (Path("other.db"), "DEBUG")
    assert settings.model_fields_set == {"token", "database", "log_level"}


def test_a_setting_of_earlier_versions_is_refused_with_the_way_on(file: Path) -> None:
    file.write_text("CHANCERY_SHARD=1/2\n")
    with pytest.raises(Faulty, match=r"CHANCERY_SHARD is no longer a setting.*one process.*reshard FILE --retire OTHER"):
        read(file)


def test_limits_are_those_of_the_settings(file: Path) -> None:
    file.write_text("CHANCERY_LIMIT_PICTURES=7/70\nCHANCERY_LIMIT_GAMES=0/9\n")
    limits = read(file).limits
    assert (limits.pictures, limits.games) == (Quota(7, 70), Quota(0, 9))
    file.write_text("")
    for field in fields(limits):
        quota: Quota = getattr(read(file).limits, field.name)
        assert 0 < quota.member < quota.server, f"nobody alone uses up all {field.name} of a server"


def test_an_empty_value_is_none(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("CHANCERY_SANDBOX_PORT=\n")
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert (read(file).token, read(file).sandbox_port) == (None, 8800)


@pytest.mark.parametrize("line, sentence", [
    ("CHANCERY_SANDBOX_PORT=eighty", "CHANCERY_SANDBOX_PORT can't be used. It must be a whole number from 1 to 65535."),
    ("CHANCERY_SANDBOX_PORT=70000", "CHANCERY_SANDBOX_PORT can't be used. It must be a whole number from 1 to 65535."),
    ("CHANCERY_LOG_LEVEL=loud", "CHANCERY_LOG_LEVEL can't be used. It must be DEBUG, INFO, WARNING or ERROR."),
    ("CHANCERY_DISCORD_URL=https://example.org", "CHANCERY_DISCORD_URL can't be used. It must be an address of this machine, "
                                                 "such as http://127.0.0.1:8801."),
    ("CHANCERY_DISCORD_URL=http://127.0.0.1.example.org", "CHANCERY_DISCORD_URL can't be used. It must be an address of this "
                                                          "machine, such as http://127.0.0.1:8801."),
    *[(f"CHANCERY_DISCORD_URL=http://127.0.0.1:{port}", "CHANCERY_DISCORD_URL can't be used. It must be an address of this "
                                                        "machine, such as http://127.0.0.1:8801.")
      for port in ("0", "65536", "eighty", "\u0668\u0668")],
    ("CHANCERY_SANDBOX_PORT=\u0668\u0668\u0660\u0660",
     "CHANCERY_SANDBOX_PORT can't be used. It must be a whole number from 1 to 65535."),
    *[(f"CHANCERY_LIMIT_PICTURES={limit}", "CHANCERY_LIMIT_PICTURES can't be used. It must be two whole numbers, for a member "
                                           "and for a server, such as 60/600; 0 is no limit.")
      for limit in ("60", "60/", "-1/5", "many/600", "6.5/10", "60/600/6", "\u0666/\u0666", "60/99999999")],
    ("CHANCERY_LIMITS_FILMS=1/1", "CHANCERY_LIMITS_FILMS isn't a setting. Did you mean CHANCERY_LIMIT_FILMS?"),
    ("DISCORD_TOKEN='Bot MTA5'", "DISCORD_TOKEN can't be used. It must be the bot's token alone, without spaces."),
    ("CHANCERY_DATABSE=a.db", "CHANCERY_DATABSE isn't a setting. Did you mean CHANCERY_DATABASE?"),
    ("# fine\nnonsense here", "I can't read line 2 of .env. Write NAME=value, and comments after a #."),
    ("DISCORD_TOKEN", "I can't read line 1 of .env. Write NAME=value, and comments after a #."),
])
def test_what_cannot_be_used_is_one_sentence(file: Path, capsys: pytest.CaptureFixture[str], line: str, sentence: str) -> None:
    file.write_text(line)
    with pytest.raises(SystemExit) as left:
        load(file)
    assert left.value.code == 2
    assert capsys.readouterr() == ("", f"{sentence}\n")


def test_a_variable_of_the_environment_that_is_no_setting(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHANCERY_PORT", "1")
    with pytest.raises(Faulty, match=r"CHANCERY_PORT isn't a setting\. Did you mean CHANCERY_"):
        read(file)


def test_a_file_that_is_no_text(file: Path) -> None:
    file.write_bytes(b"DISCORD_TOKEN=\xff\xfe\n")
    with pytest.raises(Faulty, match=r"\.env can\'t be read. It must be a text file in UTF-8"):
        read(file)


def test_a_file_that_the_bot_may_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("DISCORD_TOKEN=\n")

    def closed(*_: object, **__: object) -> NoReturn:
        raise PermissionError

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(Faulty, match=r"The bot may not read \.env\. Make the user that the bot runs as its owner\."):
        read(file)


@pytest.mark.parametrize("more", ["", "CHANCERY_SANDBOX_PORT=eighty", "CHANCERY_LOG_LEVL=x", "broken line"])
def test_the_token_stands_in_no_message(file: Path, more: str) -> None:
    file.write_text(f"DISCORD_TOKEN={TOKEN}\n{more}\n")
    try:
        shown = f"{read(file)!r} {read(file)} {read(file).model_dump()}"
    except Faulty as why:
        shown = f"{why!r} {why} {why.__cause__!r}"
    assert TOKEN not in shown


def test_a_token_that_cannot_be_used_is_not_quoted(file: Path) -> None:
    file.write_text(f"DISCORD_TOKEN='{TOKEN} {TOKEN}'\n")
    with pytest.raises(Faulty) as refused:
        read(file)
    assert TOKEN not in str(refused.value) and refused.value.__suppress_context__


def test_the_example_lists_every_setting_with_its_default(file: Path) -> None:
    example = EXAMPLE.read_text(encoding="utf-8")
    stated = dict(re.findall(r"^#([A-Z_]+)=(.*)$", example, re.MULTILINE))
    defaults = {str(field.validation_alias): "" if field.default is None else str(field.default)
                for field in Settings.model_fields.values()}
    assert stated == defaults and list(stated) == list(VARIABLES)
    file.write_text(re.sub(r"^#([A-Z_]+=)", r"\1", example, flags=re.MULTILINE))
    assert read(file).model_dump() == Settings.model_construct().model_dump()
