"""Check the dice of a finished game yourself: python verify.py FILE [HASH]. It needs Python and nothing else.

FILE is what /game export gave you, HASH what it told while the game ran. Before the first throw the bot drew a secret and
told only its SHA-256, so it could not choose the secret afterwards; at the end it told the secret. Each throw is

    HMAC-SHA256(secret, "epoch.throw.block.purpose") in words of 8 bytes; a word's remainder by the sides, plus 1, is a die.

The purpose is what the row is thrown for: after an undo the same decision got the same dice, another one others. A record of a
form before 3 has none. Throws count from 0, and so does the block if a throw needs more dice than a digest has words. The epoch
is 0; only a row that returns with fresh dice makes another, and says so. A word that would favour low values is passed over. What
a row "stirs" is thrown just so: how a bag is shaken, unseen. `python -m engine verify FILE` checks the rules as well."""
import hashlib
import hmac
import json
import sys


def dice(secret, epoch, throw, sides, purpose=""):
    values, block = [], 0
    while True:
        digest = hmac.digest(secret, f"{epoch}.{throw}.{block}{purpose}".encode(), "sha256")
        for start in range(0, 32, 8):
            word, side = int.from_bytes(digest[start:start + 8], "big"), sides[len(values)]
            if word < 2**64 // side * side:
                values.append(word % side + 1)
            if len(values) == len(sides):
                return values
        block += 1


def verify(lines, published=None):
    header, *rows, _end = [json.loads(line) for line in lines]
    secret = bytes.fromhex(header["secret"])
    promised = hashlib.sha256(secret).hexdigest()
    if promised != (published or header["commitment"]).lower():
        return "The secret is not the one that was promised."
    since = header.get("origin", {"row": 0})["row"]  # up to there the throws are those of another game, from which this goes on
    epochs, afresh, throws = [0], 0, 0              # epochs[n]: the epoch after row n
    for row in rows:
        while len(epochs) < row["no"]:              # rows that were taken back are not in the file
            epochs.append(epochs[-1])
        answer, epoch = row["answer"], epochs[-1]
        if row["verb"] == "return":
            afresh += answer["fresh"]
            epoch = afresh if answer["fresh"] else epochs[answer["to"]]
        if row["verb"] in ("roll", "stir"):
            if (answer["epoch"], answer["throw"]) != (epoch, throws):
                return f"Step {row['no']}: not the next roll, or rolled afresh without a reason."
            purpose = "." + row["purpose"] if header["record"] > 2 else ""
            if row["no"] > since and answer["values"] != dice(secret, epoch, throws, row["sides"], purpose):
                return f"Step {row['no']}: the secret gives other dice."
            throws += 1
        epochs.append(epoch)
    which = f"All rolls after step {since}" if since else f"All {throws} rolls"
    return f"{which} are as the secret gives them. Its hash is {promised}: compare it with what the export told earlier."


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8-sig") as file:
        print(verify(filter(str.strip, file), *sys.argv[2:3]))
