// A map in words and as a table: what its picture says, for everyone who does not see it.
import type { Shapes } from "./api";
import { deckOf, NOBODY, rateOf, shapeOf, type Cell, type MapData } from "./elites";
import { count, number, percent } from "./format";
import type { Table } from "./table";

type Difference = Shapes["DifferenceShape"];

const FEW = 8; // cards of a deck in a sentence

/** A column in words. */
export function titleOf(map: MapData, column: string): string {
  return map.columns.find((each) => each.name === column)?.title ?? column;
}

/** The ranges of a cell along both axes, such as "cell 3, 1 (turns 7 to 9)". */
export function cellInWords(map: MapData, cell: Cell): string {
  const range = (axis: MapData["x"], at: number): string =>
    `${titleOf(map, axis.name)} ${number(axis.edges[at], 3)} to ${number(axis.edges[at + 1], 3)}`;
  const ranges = [range(map.x, cell.x), ...(map.y.name ? [range(map.y, cell.y)] : [])];
  const place = map.y.name ? `${cell.x}, ${cell.y}` : `${cell.x}`;
  return `cell ${place} (${ranges.join(", ")})`;
}

/** An elite in a sentence: its objective with its interval, its games and its cards. */
export function eliteInWords(map: MapData, place: number): string {
  if (place === NOBODY) return "no elite";
  const rate = rateOf(map, place, "objective");
  const text = (value: number | null | undefined): string => (rate?.is_share ? percent(value) : number(value));
  const ends = rate?.low == null || rate.low === rate.high ? "" : ` [${text(rate.low)}, ${text(rate.high)}]`;
  const games = count(map.filling.games[place] ?? 0);
  const deck = deckOf(map, place).map((card) => (card.copies > 1 ? `${card.copies} ${card.name}` : card.name));
  const cards = deck.length > FEW + 1 ? [...deck.slice(0, FEW), `and ${deck.length - FEW} more`] : deck;
  return `${map.objective_title} ${text(rate?.value)}${ends} in ${games} games${cards.length ? `: ${cards.join(", ")}` : ""}`;
}

/** All cells with an elite as a table; with the difference from another map where it is shown. */
export function tableOf(map: MapData, elites: Int32Array, difference: Difference | null): Table {
  const { rows } = shapeOf(map);
  const { filling } = map;
  const value = (edge: number | null | undefined): number | null =>
    edge === null || edge === undefined ? null : Number(edge.toPrecision(6));
  const columns = [
    `${titleOf(map, map.x.name)} from`,
    map.y.name ? `${titleOf(map, map.y.name)} from` : "row",
    "number",
    map.objective_title,
    "low",
    "high",
    ...(filling.win_rate ? ["win rate", "win rate low", "win rate high"] : []),
    "games",
    "found at evaluation",
    ...(difference ? ["difference", "difference low", "difference high"] : []),
  ];
  const places = new Map(difference?.cell.map((cell, place) => [cell, place]));
  const found: Table["rows"] = [];
  elites.forEach((place, cell) => {
    if (place === NOBODY) return;
    const apart = places.get(cell);
    found.push([
      value(map.x.edges[Math.floor(cell / rows)]),
      map.y.name ? value(map.y.edges[cell % rows]) : 0,
      filling.number[place] ?? null,
      filling.objective.value[place] ?? null,
      filling.objective.low[place] ?? null,
      filling.objective.high[place] ?? null,
      ...(filling.win_rate
        ? [filling.win_rate.value, filling.win_rate.low, filling.win_rate.high].map((each) => each[place] ?? null)
        : []),
      filling.games[place] ?? null,
      filling.found[place] ?? null,
      ...(difference
        ? [difference.value, difference.low, difference.high].map((each) =>
            apart === undefined ? null : (each[apart] ?? null),
          )
        : []),
    ]);
  });
  return { columns, rows: found };
}
