// The address is the state: every page reads the path and the query, and changes them through here.
// A report has its query after "#": browsers let a file change nothing else of its address.
import { isReport } from "./recorded";

export const place = $state({ path: location.pathname, query: query(), hash: location.hash });

function query(): string {
  return isReport ? location.hash.slice(1) : location.search;
}

function read(): void {
  place.path = location.pathname;
  place.query = query();
  place.hash = location.hash;
}

addEventListener("popstate", read);

/** Opens an address of the studio. */
export function go(address: string): void {
  history.pushState(null, "", address);
  read();
  scrollTo(0, 0);
}

/** Follows links inside the studio without loading the page again; an action for the element that has them. */
export function follow(root: HTMLElement): { destroy(): void } {
  const click = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  };
  root.addEventListener("click", click);
  return { destroy: () => root.removeEventListener("click", click) };
}

/** Shows the part of the page that the address names after "#", if there is one. */
export function showPart(): void {
  const part = place.hash ? document.getElementById(decodeURIComponent(place.hash.slice(1))) : null;
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

/** The value of a name in the address. */
export function asked(name: string, otherwise = ""): string {
  return new URLSearchParams(place.query).get(name) ?? otherwise;
}

/** Changes values in the address; an empty value removes its name. The page stays where it is. */
export function ask(changes: Record<string, string | number | null>): void {
  const values = new URLSearchParams(query());
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") values.delete(name);
    else values.set(name, String(value));
  }
  const text = values.toString();
  if (isReport) history.replaceState(null, "", `#${text}`);
  else history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
  read();
}

/** The parts of a path that a pattern such as "/runs/:run/map" names; null if it does not fit. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.replace(/\/$/, "").split("/");
  if (wanted.length !== given.length && !(pattern === "/" && path === "/")) return null;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":")) {
      if (!value) return null;
      try {
        found[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return found;
}
