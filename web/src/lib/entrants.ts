// Entrants of metagames, such as "Zoo (ladder 1)/default": a deck or a draft policy, and the agent that plays it.

/** The deck or draft policy of an entrant, and its agent; no agent where the entrant names none. */
export function parts(entrant: string): { player: string; pilot: string } {
  const at = entrant.lastIndexOf("/");
  return at < 0 ? { player: entrant, pilot: "" } : { player: entrant.slice(0, at), pilot: entrant.slice(at + 1) };
}

/** The address of a game of two entrants under an edition. */
export function gameOf(game: string, first: string, second: string, edition: string): string {
  const one = parts(first);
  const other = parts(second);
  const query = new URLSearchParams({ game, first: one.player, second: other.player });
  if (one.pilot) query.set("first_pilot", one.pilot);
  if (other.pilot) query.set("second_pilot", other.pilot);
  if (edition) query.set("edition", edition);
  return `/games?${query.toString()}`;
}
