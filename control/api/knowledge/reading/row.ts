/** Cells of a table, row by row. */
export type Row = readonly string[];
