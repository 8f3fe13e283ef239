// The pages and their addresses. Each page is loaded when it is opened first; it takes the named parts of its address.
import type { Component } from "svelte";
import { match } from "../lib/router.svelte";

type Load = () => Promise<{ default: Component<any> }>;

export const PAGES: [pattern: string, load: Load][] = [
  ["/", () => import("./home/Home.svelte")],
  ["/runs/:run", () => import("./run/Run.svelte")],
  ["/metagames", () => import("./metagames/Metagames.svelte")],
  ["/metagames/:metagame", () => import("./metagames/Metagame.svelte")],
  ["/patches", () => import("./patches/Patches.svelte")],
  ["/studies", () => import("./study/Studies.svelte")],
  ["/studies/:study", () => import("./study/Study.svelte")],
  ["/runs/:run/map", () => import("./map/Map.svelte")],
  ["/compare", () => import("./compare/Compare.svelte")],
  ["/jobs", () => import("./jobs/Jobs.svelte")],
  ["/runs/:run/decks/:number/games/:game", () => import("./game/Game.svelte")],
  ["/runs/:run/decks/:number", () => import("./deck/Solution.svelte")],
  ["/decks", () => import("./deck/Decks.svelte")],
  ["/decks/:game/:name", () => import("./deck/Deck.svelte")],
  ["/cards", () => import("./cards/Cards.svelte")],
  ["/cards/:game/:card", () => import("./cards/Card.svelte")],
  ["/games", () => import("./game/AnyGame.svelte")],
  ["/help", () => import("./help/Help.svelte")],
];

/** The pages that the navigation lists. */
export const SECTIONS: [address: string, name: string][] = [
  ["/", "Runs"],
  ["/decks", "Decks"],
  ["/cards", "Cards"],
  ["/games", "Games"],
  ["/metagames", "Metagames"],
  ["/patches", "Patches"],
  ["/studies", "Studies"],
  ["/jobs", "Jobs"],
  ["/help", "Help"],
];

/** The page of a path, with the parts that its address names. */
export function pageOf(path: string): { load: Load; parts: Record<string, string> } | null {
  for (const [pattern, load] of PAGES) {
    const parts = match(pattern, path);
    if (parts) return { load, parts };
  }
  return null;
}
