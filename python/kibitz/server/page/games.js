// What the server says of its games, asked once.

import { call } from "./http.js";

let listed = null;
const known = new Map();

/** All games: slug, name, summary, players. */
export async function games() {
  listed ??= call("GET", "/v1/games").then(
    (answer) => answer.games,
    (error) => {
      listed = null;
      throw error;
    },
  );
  return listed;
}

/** One game: options, grammar, examples and the rest. */
export async function game(slug) {
  if (!known.has(slug)) {
    const asked = call("GET", `/v1/games/${encodeURIComponent(slug)}`);
    known.set(slug, asked);
    asked.catch(() => known.delete(slug));
  }
  return known.get(slug);
}

/** The examples of all games, as [game, example] pairs. */
export async function examples() {
  const all = await Promise.all(
    (await games()).map(async ({ slug }) => [slug, (await game(slug)).examples ?? []]),
  );
  return all.flatMap(([slug, list]) => list.map((example) => [slug, example]));
}

/** Seats as [value, label] pairs, as many as the game may have. */
export const seatPairs = (count) => Array.from({ length: count }, (_, seat) => [seat, `seat ${seat}`]);
