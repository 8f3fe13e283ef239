// A patch as it is edited: new values of cards by card and field, kept in the address.

export type Value = number | string;
export type Changes = Record<string, Record<string, Value>>;

/** The changes that an address holds; anything else in it is none. */
export function readChanges(text: string): Changes {
  let found: unknown;
  try {
    found = JSON.parse(text || "{}");
  } catch {
    return {};
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return {};
  const changes: Changes = {};
  for (const [card, fields] of Object.entries(found)) {
    if (typeof fields !== "object" || fields === null) continue;
    const kept = Object.entries(fields).filter(([, value]) => typeof value === "string" || typeof value === "number");
    if (kept.length) changes[card] = Object.fromEntries(kept) as Record<string, Value>;
  }
  return changes;
}

/** The changes with one more; a value that is the card's own is no change. */
export function changed(changes: Changes, card: string, field: string, value: Value | null, own: Value): Changes {
  const fields = { ...changes[card] };
  if (value === null || value === own) delete fields[field];
  else fields[field] = value;
  const rest = { ...changes };
  delete rest[card];
  return Object.keys(fields).length ? { ...rest, [card]: fields } : rest;
}

/** How a number changed, for people: "+2"; empty if it did not, or if it is none. */
export function sign(value: Value, own: Value): string {
  if (typeof value !== "number" || typeof own !== "number" || value === own) return "";
  return value > own ? `+${value - own}` : `−${own - value}`;
}

/** Whether a change makes a card better; null if that cannot be said. */
export function isBetter(value: Value, own: Value, lessIsBetter: boolean): boolean | null {
  if (typeof value !== "number" || typeof own !== "number" || value === own) return null;
  return value < own === lessIsBetter;
}
