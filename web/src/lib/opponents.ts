// Opponents of a solution: a deck or a draft policy, and the agent that plays it. Two may have the same deck.

export interface Opponent {
  opponent: string;
  pilot: string;
}

/** What stands for an opponent in an address. */
export function keyOf({ opponent, pilot }: Opponent): string {
  return `${opponent}/${pilot}`;
}

/** A name for each opponent by its key; with the pilot where another opponent has the same deck. */
export function namesOf(opponents: readonly Opponent[]): Map<string, string> {
  const times = new Map<string, number>();
  for (const { opponent } of opponents) times.set(opponent, (times.get(opponent) ?? 0) + 1);
  return new Map(
    opponents.map((each) => [
      keyOf(each),
      (times.get(each.opponent) ?? 0) > 1 ? `${each.opponent} by ${each.pilot}` : each.opponent,
    ]),
  );
}
