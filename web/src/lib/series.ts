// Lines of charts as data, and the table that says the same.
import type { Table } from "./table";

export interface Point {
  at: number;
  value: number | null;
  low?: number | undefined;
  high?: number | undefined;
}

export interface Series {
  name: string;
  points: Point[];
}

/** A line from two columns, and its band from two more. */
export function seriesOf(
  name: string,
  at: readonly (number | null)[],
  values: readonly (number | null)[],
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] },
): Series {
  const points = values.map((value, place) => {
    const point: Point = { at: at[place] ?? NaN, value };
    if (band) {
      point.low = band.low[place] ?? undefined;
      point.high = band.high[place] ?? undefined;
    }
    return point;
  });
  return { name, points: points.filter((point) => Number.isFinite(point.at)) };
}

/** All lines in one table: a row for each place, a column for each line, and its ends where it has a band. */
export function curveTable(across: string, series: readonly Series[]): Table {
  const hasBand = series.map((each) => each.points.some((point) => point.low !== undefined));
  const columns = [
    across,
    ...series.flatMap((each, at) => [each.name, ...(hasBand[at] ? [`${each.name} low`, `${each.name} high`] : [])]),
  ];
  const places = [...new Set(series.flatMap((each) => each.points.map((point) => point.at)))].sort((a, b) => a - b);
  const byPlace = series.map((each) => new Map(each.points.map((point) => [point.at, point])));
  const rows = places.map((place) => [
    place,
    ...byPlace.flatMap((points, at) => {
      const point = points.get(place);
      return [point?.value ?? null, ...(hasBand[at] ? [point?.low ?? null, point?.high ?? null] : [])];
    }),
  ]);
  return { columns, rows };
}

/** The path of a sparkline; empty for fewer than two numbers. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return "";
  const low = Math.min(...values);
  const room = Math.max(...values) - low || 1;
  const points = values.map((value, at) => {
    const x = 1 + (at / (values.length - 1)) * (width - 2);
    const y = 1 + (1 - (value - low) / room) * (height - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

const APART = 13; // pixels between two names
const LONGEST = 20; // letters of a name

/** The names at the ends of lines, and by how many pixels each is moved so that none hides another. */
export function labelsOf(
  series: readonly Series[],
  height: number,
  logarithmic: boolean,
): { text: string; shift: number }[] {
  const scaled = (value: number): number => (logarithmic ? Math.log(value) : value);
  const all = series
    .flatMap((each) => each.points.flatMap((point) => [point.value, point.low ?? null, point.high ?? null]))
    .filter((value) => value !== null && (!logarithmic || value > 0))
    .map((value) => scaled(value ?? 0));
  const low = Math.min(...all);
  const room = Math.max(...all) - low || 1;
  const ends = series.map((each, at) => {
    const last = each.points.findLast((point) => point.value !== null)?.value ?? NaN;
    return { at, place: (1 - (scaled(last) - low) / room) * height };
  });
  const shifts = new Array<number>(series.length).fill(0);
  let previous = -Infinity;
  for (const { at, place } of ends.filter((end) => Number.isFinite(end.place)).sort((a, b) => a.place - b.place)) {
    const moved = Math.max(place, previous + APART);
    shifts[at] = Math.round(moved - place);
    previous = moved;
  }
  return series.map((each, at) => ({
    text: each.name.length > LONGEST ? `${each.name.slice(0, LONGEST - 1)}…` : each.name,
    shift: shifts[at] ?? 0,
  }));
}
