/** What the SQLite driver and its threads say to each other. */

export interface SqliteWorkerData {
  readonly file: string;
  readonly role: 'writer' | 'reader';
}

export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Statements that succeed or fail together, or one step of a transaction that spans several requests. */
export interface SqliteRequest {
  readonly id: number;
  readonly statements: readonly SqliteStatement[];
  readonly control?: 'begin' | 'commit' | 'rollback';
  readonly insideTransaction?: boolean;
}

export interface SqliteOutcome {
  readonly rows: unknown[];
  readonly changes: number;
}

export type SqliteAnswer =
  | { readonly id: number; readonly outcomes: readonly SqliteOutcome[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };
