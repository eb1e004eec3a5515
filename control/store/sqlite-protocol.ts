/** The messages between the SQLite driver and its threads. */

/** The code of requests whose thread ended before it had answered: it is unknown whether they took effect. */
export const THREAD_ENDED = 'THREAD_ENDED';

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
  /** The others are run only if the first one changes a row. */
  readonly ifFound?: boolean;
  readonly control?: 'begin' | 'commit' | 'rollback';
  readonly insideTransaction?: boolean;
}

export interface SqliteOutcome {
  readonly rows: unknown[];
  readonly changes: number;
}

/** Requests are handled in their order. */
export type ToSqliteWorker = readonly SqliteRequest[] | 'close';

/** `ready`: the file is open. */
export type FromSqliteWorker = readonly SqliteAnswer[] | 'ready';

export type SqliteAnswer =
  | { readonly id: number; readonly outcomes: readonly SqliteOutcome[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };
