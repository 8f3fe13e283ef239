// Characters that nobody sees, but that move others around or hide them: what comes from stores shows them as text.

// Controls, and marks such as those that turn the direction of writing; line breaks and tabs stay what they are.
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;
// The same in the text of JSON, where controls are written as escapes.
const MAYBE = /\\u|\\[bfr]|(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;

/** A text in which hidden characters are visible: "\u202e" is six characters. */
export function plain(text: string): string {
  return text.replace(HIDDEN, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/** A JSON text with all its texts and names plain. Almost all have nothing to change, and stay as they are. */
export function plainJson(json: string): string {
  return MAYBE.test(json) ? JSON.stringify(plainValue(JSON.parse(json))) : json;
}

function plainValue(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [plain(name), plainValue(part)]));
}
