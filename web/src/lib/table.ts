// Tables as data: what a table view shows, sorts, and exports as CSV.

export type Cell = string | number | null;

export interface Table {
  columns: string[];
  rows: Cell[][];
}

/** A table as CSV; texts that a spreadsheet would calculate are quoted as text. */
export function csv(table: Table): string {
  const field = (value: Cell): string => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [table.columns, ...table.rows].map((row) => row.map(field).join(",")).join("\n") + "\n";
}

/** Rows sorted by a column; unknown values last, in either direction. */
export function sorted(rows: readonly Cell[][], column: number, descending: boolean): Cell[][] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((left, right) => {
    const a = left[column] ?? null;
    const b = right[column] ?? null;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
}
