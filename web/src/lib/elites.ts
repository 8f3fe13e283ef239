// A map as data: who is in a cell at a moment, the numbers that colours show, where cells are, and how to walk them.
import type { Rate, Shapes } from "./api";

/** The part of an address that names a cell: its place along the first two measures. */
export function cellQuery(cell: readonly number[]): string {
  return `cell=${cell[0] ?? 0},${cell[1] ?? 0}`;
}

export type MapData = Shapes["MapShape"];
export const NOBODY = -1;

/** What colours can show. */
export const COLOURS = ["objective", "win_rate", "games", "age", "copies"] as const;
export type Colour = (typeof COLOURS)[number];

export interface Cell {
  x: number;
  y: number;
}

/** A box of cells, all ends included. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export function shapeOf(map: MapData): { columns: number; rows: number } {
  return { columns: map.x.reachable.length, rows: map.y.reachable.length };
}

/** For each cell, the place in the filling of its elite after `at` evaluations, or `NOBODY`. */
export function elitesAt(map: MapData, at: number): Int32Array {
  const { columns, rows } = shapeOf(map);
  const found = new Int32Array(columns * rows).fill(NOBODY);
  const { cell, found: when } = map.filling;
  for (let place = 0; place < cell.length && (when[place] ?? 0) <= at; place++) found[cell[place] ?? 0] = place;
  return found;
}

/** How many copies of a card, by its place in the pool, a deck has. */
export function copiesOf(deck: readonly number[] | undefined, card: number): number {
  if (!deck) return 0;
  for (let at = 0; at < deck.length; at += 2) if (deck[at] === card) return deck[at + 1] ?? 0;
  return 0;
}

/** The number that colours show of each cell; NaN where there is no elite. */
export function valuesOf(map: MapData, elites: Int32Array, colour: Colour, card: number): Float64Array {
  const { filling } = map;
  const of = (place: number): number | null | undefined => {
    if (colour === "win_rate") return (filling.win_rate ?? filling.objective).value[place];
    if (colour === "games") return filling.games[place];
    if (colour === "age") return filling.found[place];
    if (colour === "copies") return copiesOf(filling.decks[place], card);
    return filling.objective.value[place];
  };
  return Float64Array.from(elites, (place) => (place === NOBODY ? NaN : (of(place) ?? NaN)));
}

/** The objective or the win rate of an elite, with its interval. */
export function rateOf(map: MapData, place: number, which: "objective" | "win_rate"): Rate | null {
  const column = which === "objective" ? map.filling.objective : map.filling.win_rate;
  if (!column) return null;
  return {
    value: column.value[place] ?? null,
    low: column.low[place] ?? null,
    high: column.high[place] ?? null,
    n: map.filling.games[place] ?? 0,
    is_share: column.is_share,
  };
}

/** The cards of an elite, by cost and name. */
export function deckOf(map: MapData, place: number): { name: string; cost: number; copies: number; id: string }[] {
  const deck = map.filling.decks[place] ?? [];
  const found = [];
  for (let at = 0; at < deck.length; at += 2) {
    const card = map.cards[deck[at] ?? -1];
    if (card) found.push({ ...card, copies: deck[at + 1] ?? 0 });
  }
  return found.sort((one, other) => one.cost - other.cost || one.name.localeCompare(other.name, "en"));
}

/** Where the boundaries of an axis are drawn, from 0 to `length`: evenly, or true to their values. */
export function places(edges: readonly (number | null)[], equal: boolean, length: number): number[] {
  const count = edges.length - 1;
  const first = edges[0] ?? NaN;
  const last = edges[count] ?? NaN;
  if (equal || !(last > first) || !Number.isFinite(last - first) || edges.some((edge) => edge === null))
    return edges.map((_, at) => (at / count) * length);
  return edges.map((edge) => (((edge ?? first) - first) / (last - first)) * length);
}

/** The cell along an axis at a place; the nearest with room if it is outside. */
export function indexAt(boundaries: readonly number[], place: number): number {
  const count = boundaries.length - 1;
  for (let at = 0; at < count; at++) if (place < (boundaries[at + 1] ?? 0)) return at;
  let last = count - 1;
  while (last > 0 && boundaries[last] === boundaries[last + 1]) last--;
  return last;
}

/** The next cell in a direction that a solution can be in; the same at the border. */
export function step(map: MapData, from: Cell, dx: number, dy: number): Cell {
  const along = (reachable: readonly boolean[], start: number, by: number): number => {
    for (let at = start + by; by !== 0 && at >= 0 && at < reachable.length; at += by) if (reachable[at]) return at;
    return start;
  };
  return { x: along(map.x.reachable, from.x, dx), y: along(map.y.reachable, from.y, dy) };
}

/** The cell with the greatest value; null if there is none. */
export function bestCell(values: Float64Array, rows: number): Cell | null {
  let best = -1;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? NaN;
    if (!Number.isNaN(value) && (best < 0 || value > (values[best] ?? -Infinity))) best = at;
  }
  return best < 0 ? null : { x: Math.floor(best / rows), y: best % rows };
}

/** The smallest box with both cells. */
export function boxOf(one: Cell, other: Cell): Box {
  return {
    left: Math.min(one.x, other.x),
    right: Math.max(one.x, other.x),
    bottom: Math.min(one.y, other.y),
    top: Math.max(one.y, other.y),
  };
}

/** Numbers as the address has them: "12,4". Null if there are not exactly `count` whole numbers below `most`. */
export function wholeNumbers(text: string, count: number, most: number): number[] | null {
  if (!/^\d{1,6}(,\d{1,6})*$/.test(text)) return null;
  const found = text.split(",").map(Number);
  return found.length === count && found.every((each) => each < most) ? found : null;
}
