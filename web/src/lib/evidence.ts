// Where the evidence for a sentence of a balance study is shown: a part of its page, and what is marked there.

export interface Asked {
  topic: string;
  subject: string;
  place: string;
}

/** The parts of the page that topics of questions are shown in. */
const PARTS: Record<string, string> = {
  deck: "decks",
  class: "classes",
  "found decks": "found",
  elites: "found",
  "filled cells": "maps",
  cell: "maps",
  centre: "places",
  inclusion: "cards",
  "card in mix": "mix",
  "deck in mix": "mix",
  mix: "mix",
  variety: "mix",
  pattern: "patterns",
  matchup: "matrix",
};

/** The address of the evidence, on the page of the study. */
export function evidence(study: string, asked: Asked): string {
  const part = PARTS[asked.topic] ?? "verdict";
  const query = new URLSearchParams({ show: part, on: asked.subject });
  if (asked.topic === "matchup") query.set("against", asked.place);
  return `/studies/${encodeURIComponent(study)}?${query.toString()}`;
}

/** The number of a cell that a question is about, such as "hunter fast cell 2, 3"; null if it is none of the map's. */
export function cellOf(subject: string, search: string, pilot: string, shape: readonly number[]): number | null {
  const start = `${search} ${pilot} cell `;
  if (!subject.startsWith(start)) return null;
  const [row, column] = subject.slice(start.length).split(", ").map(Number);
  if (row === undefined || column === undefined || !Number.isInteger(row) || !Number.isInteger(column)) return null;
  return row * (shape[1] ?? 1) + column;
}

/** A p value as sentences write it. */
export function pText(value: number | null): string {
  if (value === null) return "–";
  return value < 0.0001 ? "below 0.0001" : String(Number(value.toPrecision(2)));
}
