// Whether the colours of the page have changed, for what paints on a canvas.

let changes = $state(0);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (changes += 1));
new MutationObserver(() => (changes += 1)).observe(document.documentElement, { attributeFilter: ["data-theme"] });

/** A number that changes with the colours of the page. */
export function themeChanges(): number {
  return changes;
}
