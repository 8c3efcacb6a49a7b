"""Goita servers: the masked history line of goita-core in and out, and a bot's turn as the text to send back.

    3xxxxxxx,12345679,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2

A server speaks of the redeal with five pawns beside the line, which shows the pawns from the deal on; so a line without
answers is one whose question is settled, or with `question=True` is the one to be settled. Kami's own lines, with the
answers written (`2?5,4-`), are read too. Whatever turns the line has were played, also ones that the bot didn't choose.

Cards are Kami's: a king `9` is read as `8`, and what `line_of` writes has no `9`. `answer` names the king that the hand
in the line has, for servers tell the two apart.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from kibitz.bot import Bot, Player, as_player, is_timed
from kibitz.clock import Clock, checked
from kibitz.errors import IllegalMove, InvalidOption, InvalidPosition, shown
from kibitz.events import read_seat
from kibitz.game import load
from kibitz.games.kami import Record, format_history, mask_history, parse_history
from kibitz.given import as_number, as_whole
from kibitz.settings import must_decide
from kibitz.table import Table
from kibitz.view import View

__all__ = ["answer", "clock_of", "line_of", "view_of"]

SEATS = 4
HAND = 8
FIVE = 5  # pawns that call for the question; more end a round of Goita
DEFENCE_SHARE = 0.6  # of the byoyomi; the attack has what is left
WRITTEN = re.compile(r",[1-4](?:\?[5-8]|[-+])(?![^,;])")  # an answer to the redeal question
KINGS = "kami R13"  # the rule that Goita doesn't have


def view_of(line: str, seat: int, *, score: Sequence[int] = (0, 0), question: bool = False) -> View:
    """What a seat knows, from the line alone.

    Args:
        line: The history, masked for this seat or open; what the seat may not see is forgotten.
        seat: Counted from 0.
        score: Points of seats 0 and 2 and of seats 1 and 3 before the round, in Goita's tens.
        question: Whether this seat is to say if its partner's hand of five pawns is dealt again.

    Raises:
        InvalidPosition: No such line; a deal that Goita ends at once, or a turn that only Goita allows (the rule is
            named); or the line does not show the seat's own hand.
        InvalidOption: Another argument that is not allowed.

    >>> view = view_of("3xxxxxxx,12345679,xxxxxxxx,13xxxxxx,s1,1x3,2p,3p,431,1p", 1)
    >>> view.turn, view.legal()
    (1, ['p', 'd1'])
    """
    game = load("kami")
    number = read_seat(game.core, seat)
    if not isinstance(line, str):
        raise InvalidPosition(f"A line is a text, not {shown(line)}.", given=line)
    written = WRITTEN.search(line) is not None
    record = parse_history(line, redeal=written)
    if record.players != SEATS:
        raise InvalidPosition(
            f"Goita is played by four; the line has {record.players} hands.",
            given=record.players,
            allowed=(SEATS,),
        )
    pawns = _pawns(record)
    if "x" in record.hands[number]:
        raise InvalidPosition(
            f"The line shows {record.hands[number]!r} as the hand of seat {number}; it must show all of its own.",
            given=record.hands[number],
        )
    start = {"hand": record.hands[number], "first": record.first, "totals": _totals(score)}
    if question:
        if written or record.events:
            raise InvalidPosition(
                "The redeal question comes before anything is written in the line.", given=line
            )
        start |= _question(number, record.first, pawns)
    elif not written:
        start |= {"phase": "lead", "announced": _announced(pawns)}
    events = [f"{'*' if by is None else by}:{_hidden(text)}" for by, text in record.events]
    try:
        return game.view(seat=number, start=start, record=events, mask=True)
    except InvalidPosition as error:
        if error.rule is None or "R13" not in error.rule:
            raise
        raise InvalidPosition(
            f"{error.message} Goita lets a hand with both kings attack with one; Kami does not ({KINGS}), so this "
            "round cannot be followed.",
            given=error.given,
            rule=error.rule,
        ) from error


def line_of(source: View | Table, *, seat: int | None = None) -> str:
    """The line of the round that is played, or was the last: masked for a view's seat; open for a table.

    It is the text that a server writes, with hands sorted and both kings as `8`.

    Args:
        source: A view or table of Kami with four seats that saw the round from its deal on.
        seat: Of a table: whom to mask it for.

    Raises:
        InvalidPosition: Another game, or the round began before the source did.
        InvalidOption: No such seat.

    >>> line = "3xxxxxxx,12345678,xxxxxxxx,123xxxxx,s1,1x3,2p,3p,431,1p,2p,3p,4x2"
    >>> line_of(view_of(line, 1)) == line
    True
    """
    if not isinstance(source, View | Table):
        raise InvalidPosition(f"A line is of a view or a table, not of {shown(source)}.", given=source)
    if (source.game.slug, source.game.seats) != ("kami", SEATS):
        raise InvalidPosition(f"A line is of Kami with four seats, not of {source.game!r}.", given=source)
    viewer = source.seat if isinstance(source, View) else seat
    if viewer is not None:
        viewer = read_seat(source.game.core, viewer if seat is None else seat)
        if isinstance(source, View) and viewer != source.seat:
            raise InvalidOption(f"seat cannot be {viewer}: the view is seat {source.seat}'s.", given=seat)
    record, announced = _last_round(source)
    if viewer is None:
        return format_history(record)
    masked = mask_history(record, viewer)
    for other, pawns in enumerate(announced):
        if other != viewer:
            known = masked.hands[other].strip("x")
            known += "1" * (pawns - known.count("1"))
            masked.hands[other] = "".join(sorted(known.ljust(HAND, "x")))
    return format_history(masked)


def answer(
    line: str,
    bot: Player,
    seat: int,
    *,
    score: Sequence[int] = (0, 0),
    question: bool = False,
    clock: Clock | None = None,
) -> str:
    """What a bot plays, as the text of a turn: `"134"`, `"1p"`; of an answer `"1+"` (deal again) or `"1-"`.

    Args:
        line, seat, score, question: As in `view_of`.
        bot: Any player. Defence and attack are two decisions of it.
        clock: What is on its clock, for both together; a bot that plays by no clock is not told.

    Raises:
        IllegalMove: It is not the seat's turn, or the bot played what is not legal.
        InvalidPosition, InvalidOption: As `view_of`.

    >>> import kibitz
    >>> answer("12345679,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,413", kibitz.Bot("greedy"), 0)
    '137'
    """
    since = monotonic()
    view = view_of(line, seat, score=score, question=question)
    must_decide(view)
    player = as_player(bot)
    whole = None if clock is None else checked(clock)
    own = view.seat
    if view.core.to_dict()["phase"] == "attack":  # half of the turn is in the line
        turn, placed = line.strip().rpartition(",")[2], ""
    else:
        leads = any(move.startswith("d") for move in view.legal())
        move = _act(player, view, _part(whole) if leads else whole)
        if not move.startswith("d"):
            return f"{own + 1}{move}"
        turn, placed = str(own + 1), move[1:]
        view = view.observe(f"{own}:{move}")
    attack = _act(player, view, _rest(whole, (monotonic() - since) * 1000))
    return turn + _kings(line, own, placed + attack[1:])


def clock_of(main_s: float, byoyomi_s: float, *, overhead_ms: float = 25) -> Clock:
    """A server's clock: what is left of the main time, then so much for each turn.

    Raises:
        InvalidOption: No time that a server has: byoyomi is 5 to 30 seconds.

    >>> str(clock_of(60, 10)), clock_of(0, 5).limit_ms
    ('60s/10s', 5000)
    """
    main, byoyomi = as_number(main_s), as_number(byoyomi_s)
    if byoyomi is None or not 5 <= byoyomi <= 30:
        raise InvalidOption(
            f"byoyomi_s cannot be {shown(byoyomi_s)}; it is 5 to 30 seconds.", given=byoyomi_s
        )
    if main is None or not 0 <= main <= 3600:
        raise InvalidOption(f"main_s cannot be {shown(main_s)}; it is 0 to 3600 seconds.", given=main_s)
    return Clock(main_ms=main * 1000, byoyomi_ms=byoyomi * 1000, overhead_ms=overhead_ms)


# --- reading a line ---


def _pawns(record: Record) -> list[int]:
    """By seat how many pawns the last deal is known to have given it; refuses what Goita doesn't play on with."""
    deals = [list(record.hands)]
    asked = [Counter[int]()]
    for by, text in record.events:
        if text.startswith("deal "):
            if len(deals[-1]) == SEATS:
                deals.append([])
                asked.append(Counter())
            deals[-1].append(text[5:])
        elif by is not None and text.startswith("?"):
            asked[-1][by] = int(text[1])
    for hands, said in zip(deals, asked, strict=True):
        pawns = [max(hand.count("1"), said[seat]) for seat, hand in enumerate(hands)]
        for seat, count in enumerate(pawns):
            if count > FIVE:
                raise InvalidPosition(
                    f"Seat {seat} was dealt {count} pawns: in Goita six or more end the round at once, which Kami "
                    "does not know (goita: six pawns).",
                    given=hands[seat],
                    rule="goita: six pawns",
                )
            if count == FIVE and pawns[(seat + 2) % SEATS] == FIVE:
                raise InvalidPosition(
                    f"Seats {seat} and {(seat + 2) % SEATS} are partners and were dealt five pawns each: in Goita that "
                    "wins at once, which Kami does not know (goita: five and five).",
                    given=hands[seat],
                    rule="goita: five and five",
                )
    return pawns


def _announced(pawns: Sequence[int]) -> list[int]:
    """Five pawns are shown at once in Goita; fewer are not."""
    return [count if count == FIVE else 0 for count in pawns]


def _question(seat: int, first: int, pawns: Sequence[int]) -> dict[str, object]:
    """The start in which a seat answers for its partner.

    Kami asks one seat after the other. Another seat's five pawns that would be asked for later are not told here.
    """
    asker = (seat + 2) % SEATS
    if pawns[asker] != FIVE:
        raise InvalidPosition(
            f"Seat {seat} is not asked: the line does not show five pawns with its partner, seat {asker}.",
            given=pawns[asker],
            allowed=(FIVE,),
        )
    asked = (asker - first) % SEATS + 1
    known = [count if (other - first) % SEATS < asked else 0 for other, count in enumerate(_announced(pawns))]
    return {"phase": "answer", "to_move": seat, "asker": asker, "asked": asked, "announced": known}


def _totals(score: object) -> list[int]:
    points = [as_whole(each) for each in score] if isinstance(score, list | tuple) else []
    if len(points) == 2 and all(each in range(0, 150, 10) for each in points):
        return [each // 10 for each in points if each is not None]
    raise InvalidOption(
        f"score cannot be {shown(score)}; it is the points of both teams before the round, 0 to 140 in tens.",
        given=score,
    )


def _hidden(text: str) -> str:
    """A dealt hand of which a card is not known is, to the rules, a hidden one."""
    return "deal x" if text.startswith("deal ") and "x" in text else text


# --- writing a line ---


def _last_round(source: View | Table) -> tuple[Record, list[int]]:
    """The last round of which all hands were dealt, and by seat the pawns announced beside its line."""
    start = source.start
    seat = source.seat if isinstance(source, View) else None
    hands = start.get("hands") or []
    if seat is not None and start.get("hand"):
        hands = ["x" * HAND if other != seat else start["hand"] for other in range(SEATS)]
    whole = not any(start.get("lines") or []) and all(len(hand) == HAND for hand in hands)
    beside = start.get("phase") in ("lead", "answer")  # the question is no part of the line
    first = start.get("first") or 0
    announced = list(start.get("announced") or [0] * SEATS)
    winner = first
    events: list[tuple[int | None, str]] = []
    dealt: list[str] = []
    for event in source.record:
        actor, _, text = event.partition(":")
        by = None if actor == "*" else int(actor)
        if text.startswith("first "):
            first = int(text[6:])
        elif text.startswith("deal "):
            dealt.append("x" * HAND if text == "deal x" else text[5:])
            if len(dealt) == SEATS:
                again = bool(events) and events[-1][1] == "+"
                if again and not beside:
                    events += [(None, f"deal {hand}") for hand in dealt]
                else:
                    if events and not again:
                        first = (
                            winner if source.game.options["next_leader"] == "winner" else (first + 1) % SEATS
                        )
                    hands, events, announced, whole = dealt, [], [0] * SEATS, True
                dealt = []
        else:
            events.append((by, text))
            if by is not None and text[0] == "a":
                winner = by
            elif by is not None and text[0] == "?" and beside:
                announced[by] = int(text[1])
    if not whole or len(hands) != SEATS:
        raise InvalidPosition("The round began before this record did, so its deal cannot be written.")
    if beside:
        events = [each for each in events if each[1][0] not in "?-+"]
    return Record(players=SEATS, hands=hands, first=first, events=events), announced if beside else [
        0
    ] * SEATS


# --- a turn ---


def _act(bot: Player, view: View, clock: Clock | None) -> str:
    """A bot's decision, checked."""
    timed = isinstance(bot, Bot) or is_timed(bot)
    move = bot.act(view, clock=clock) if timed and clock is not None else bot.act(view)  # type: ignore[call-arg]
    wrong = view.check(move)
    if wrong:
        raise IllegalMove(wrong, given=move, allowed=view.legal())
    return move


def _part(clock: Clock | None) -> Clock | None:
    """What the defence may use of a turn's clock, so that the attack has some too."""
    return None if clock is None else replace(clock, byoyomi_ms=clock.byoyomi_ms * DEFENCE_SHARE)


def _rest(clock: Clock | None, used_ms: float) -> Clock | None:
    """A turn's clock when so much of the turn is over. No increment comes and no byoyomi begins anew within it."""
    if clock is None:
        return None
    beyond = max(0.0, used_ms - clock.main_ms)
    drawn = max(0.0, beyond - clock.byoyomi_ms)
    return replace(
        clock,
        main_ms=max(0.0, clock.main_ms - used_ms),
        byoyomi_ms=max(0.0, clock.byoyomi_ms - beyond),
        bank_ms=max(0.0, clock.bank_ms - drawn),
    )


def _kings(line: str, seat: int, cards: str) -> str:
    """Cards with each king as the one that the hand in the line has left."""
    fields = line.strip().rpartition(";")[2].split(",")
    left = Counter(fields[seat])
    left.subtract("".join(turn[1:] for turn in fields[SEATS + 1 :] if turn[0] == str(seat + 1)))
    named = ""
    for card in cards:
        named += "9" if card == "8" and left["8"] < 1 and left["9"] > 0 else card
        left[named[-1]] -= 1
    return named
