// Decks as numbers: the mana curve and the types of cards.

export interface Held {
  cost: number;
  type: string;
  copies: number;
}

export const LAST_OF_CURVE = 7;

/** How many cards cost 0, 1 and so on; the last counts 7 and more. */
export function curveOf(cards: readonly Held[]): { cost: string; cards: number }[] {
  const counts = Array<number>(LAST_OF_CURVE + 1).fill(0);
  for (const { cost, copies } of cards) {
    const place = Math.max(0, Math.min(cost, LAST_OF_CURVE));
    counts[place] = (counts[place] ?? 0) + copies;
  }
  return counts.map((count, cost) => ({ cost: cost === LAST_OF_CURVE ? `${cost}+` : String(cost), cards: count }));
}

/** How many cards are of each type, the most first. */
export function typesOf(cards: readonly Held[]): [type: string, cards: number][] {
  const found = new Map<string, number>();
  for (const { type, copies } of cards) found.set(type, (found.get(type) ?? 0) + copies);
  return [...found].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
}
