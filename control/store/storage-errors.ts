import { DatabaseError } from 'pg';
import { THREAD_ENDED } from './sqlite-protocol.ts';
import { SqliteError } from './sqlite-thread.ts';

/**
 * Errors of PostgreSQL: lost connections, too few resources, a server that stops or starts, and two transactions that
 * block each other.
 */
const PASSING_CLASSES = /^(08|53|57P|40)/;

/** Whether no space is left for data: on the disk of the database, or on that of the files. */
export function isStorageFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return (
    code === 'SQLITE_FULL' ||
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    (error instanceof DatabaseError && code === '53100')
  );
}

/** Whether SQLite's thread ended before it had answered; another one takes over. */
export function isThreadEnded(error: unknown): boolean {
  return error instanceof SqliteError && error.code === THREAD_ENDED;
}

/** Whether the data is valid, and the store only cannot write it now, but may later. */
export function isPassing(error: unknown): boolean {
  if (isThreadEnded(error)) return true;
  if (error instanceof SqliteError) return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|NOMEM)/.test(error.code);
  if (error instanceof DatabaseError) return PASSING_CLASSES.test(error.code ?? '');
  // Errors without a code come from the PostgreSQL client, and are about the connection.
  return (
    error instanceof Error &&
    ('syscall' in error ||
      /^(Connection terminated|timeout exceeded|Client has encountered a connection error)/.test(error.message))
  );
}
