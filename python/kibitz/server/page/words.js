// Moves and events in words. A game that is not here speaks in its own texts, which are always shown beside.

const KAMI = [
  "",
  "Soldier",
  "Spear",
  "Horseman",
  "Silver Dragon",
  "Gold Dragon",
  "Madman",
  "Tower",
  "Empress",
];
const CREW = { B: "blue", G: "green", P: "pink", Y: "yellow", R: "rocket" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

const crewCards = (text) =>
  text.replace(/\b([BGPYR])([1-9])\b/g, (_, suit, number) => `${CREW[suit]} ${number}`);
const frenchCards = (text) =>
  text.replace(/\b([2-9TJQKA])([CDHS])\b/g, (_, rank, suit) => `${RANKS[rank] ?? rank} of ${SUITS[suit]}`);
const kamiCard = (text) => (text === "x" ? "a card face-down" : (KAMI[text] ?? `mercenary ${text}`));

// Each game: patterns with what they mean; the first that fits is taken.
const GAMES = {
  kami: [
    [/^d(.)$/, (_, card) => `defend with ${kamiCard(card)}`],
    [/^a(.)$/, (_, card) => `attack with ${kamiCard(card)}`],
    [/^p$/, () => "pass"],
    [/^-$/, () => "no redeal"],
    [/^\+$/, () => "agree to a redeal"],
    [/^\?(\d)$/, (_, count) => `ask for a redeal with ${count} Soldiers`],
    [/^deal\b/, () => "the cards are dealt"],
    [/^aside\b/, () => "a card is set aside"],
    [/^stack\b/, () => "a mercenary stack is laid out"],
    [/^up (.) (.)$/, (_, stack, card) => `mercenary ${stack} is turned up: ${kamiCard(card)}`],
    [/^points (\d+)$/, (_, points) => `the round brings ${points} points`],
    [/^void$/, () => "the round is void"],
    [/^first (\d)$/, (_, seat) => `seat ${seat} leads first`],
  ],
  thecrew: [
    [/^[BGPYR]\d$/, (text) => `play ${crewCards(text)}`],
    [/^say (\S+) (highest|lowest|only)$/, (_, card, what) => `say ${crewCards(card)} is my ${what}`],
    [/^say (\S+)$/, (_, card) => `show ${crewCards(card)}`],
    [/^quiet$/, () => "stay quiet"],
    [/^take (\S+)$/, (_, card) => `take the task ${crewCards(card)}`],
    [
      /^(none|left|right|any)$/,
      (text) =>
        ({ none: "no distress signal", any: "distress either way" })[text] ?? `distress to the ${text}`,
    ],
    [/^give x$/, () => "give a card unseen"],
    [/^give (\S+)$/, (_, card) => `give ${crewCards(card)}`],
    [/^get (\S+)$/, (_, card) => (card === "x" ? "a card goes across unseen" : `get ${crewCards(card)}`)],
    [/^tasks? (.+)$/, (_, cards) => `on the table: task ${crewCards(cards)}`],
    [/^commander (\d)$/, (_, seat) => `seat ${seat} is the commander`],
    [/^owner (\d)$/, (_, seat) => `the task goes to seat ${seat}`],
    [/^deal\b/, () => "the cards are dealt"],
    [/./, (text) => crewCards(text)],
  ],
  connect_four: [[/^(\d)$/, (_, column) => `column ${column}`]],
  goofspiel: [
    [/^bid x$/, () => "a bid face-down"],
    [/^bid (\d+)$/, (_, card) => `bid ${card}`],
    [/^prize (\d+)$/, (_, card) => `prize ${card} is turned up`],
    [/^bids (.+)$/, (_, cards) => `bids shown: ${cards.split(" ").join(", ")}`],
  ],
  hearts: [
    [/^[2-9TJQKA][CDHS]$/, (text) => `play the ${frenchCards(text)}`],
    [/^pass x$/, () => "pass a card unseen"],
    [/^pass ([2-9TJQKA][CDHS])$/, (_, card) => `pass the ${frenchCards(card)}`],
    [/^get x$/, () => "three cards arrive unseen"],
    [
      /^get (.+)$/,
      (_, cards) => `three cards arrive: ${frenchCards(cards).replaceAll(/ (?=\w+ of)/g, ", ")}`,
    ],
    [/^pass (left|right|across)$/, (_, side) => `cards are passed ${side}`],
    [/^no pass$/, () => "no cards are passed"],
    [/^first (\d)$/, (_, seat) => `seat ${seat} leads the two of clubs`],
    [/^deal\b/, () => "a card is dealt"],
  ],
};

/** A move or outcome in words, or its own text. */
export function moveWords(game, move) {
  for (const [pattern, words] of GAMES[game] ?? []) {
    const found = pattern.exec(move);
    if (found) return words(...found);
  }
  return move;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Who acts in an event: "You", "Seat 2" or "" for chance. */
function actorWords(actor, you = null) {
  if (actor === "*") return "";
  return Number(actor) === you ? "You" : `Seat ${actor}`;
}

/** An event, `"2:p"`, in words. */
export function eventWords(game, event, you = null) {
  const cut = event.indexOf(":");
  const who = actorWords(event.slice(0, cut), you);
  const words = moveWords(game, event.slice(cut + 1));
  return who ? `${who}: ${words}` : capital(words);
}

/** Whose turn it is, in words. */
export function turnWords(turn, you = null) {
  if (!turn || turn.over || turn.by === null || turn.by === undefined) return "The game is over";
  if (turn.by === "*") return "Chance is at work";
  return turn.by === you ? "Your move" : `Seat ${turn.by} to act`;
}

/** A number with as many digits as its error warrants. */
export function number(value, se = null) {
  if (value === null || value === undefined) return "–";
  const digits = se ? Math.min(4, Math.max(2, 1 - Math.floor(Math.log10(se)))) : 2;
  return value.toFixed(digits).replace("-", "−");
}
