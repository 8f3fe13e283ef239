// Answers of a balance study as a table: for table views and CSV files.
import type { Shapes } from "./api";
import type { Table } from "./table";

/** One row per answer; shares are parts of 1. */
export function answerTable(answers: readonly Shapes["Answer"][]): Table {
  return {
    columns: ["number", "claim", "before", "after", "difference", "low", "high", "adjusted p", "n", "rests on"],
    rows: answers.map((each) => [
      each.number,
      each.claim,
      each.before.value,
      each.after.value,
      each.difference.value,
      each.difference.low,
      each.difference.high,
      each.adjusted_p,
      each.after.n,
      each.rests_on,
    ]),
  };
}
