import { DatabaseError } from 'pg';
import { THREAD_ENDED } from './sqlite-protocol.ts';
import { SqliteError } from './sqlite-thread.ts';

/**
 * Errors of PostgreSQL: lost connections, too few resources, a server that stops or starts, and two transactions that
 * block each other.
 */
const TRANSIENT_CLASSES = /^(08|53|57P|40)/;

/** Of PostgreSQL: it takes no writes. After a fail-over, the server that was the primary does that. */
const READ_ONLY = '25006';

/** Whether PostgreSQL answers but takes no writes: an old primary after a fail-over, until it is the primary again. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === READ_ONLY;
}

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

/** Classes of PostgreSQL for a server that takes no connections: lost, too many, stopping or starting. */
const UNAVAILABLE_CLASSES = /^(08|53300|57P)/;
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Errors without a code come from the PostgreSQL client, and are about the connection. */
const OF_THE_CONNECTION = new RegExp(
  `^(${[
    'Connection terminated',
    'Query read timeout',
    'timeout exceeded',
    'Client has encountered a connection error',
    'Client was closed and is not queryable',
  ].join('|')})`,
);

/** Whether PostgreSQL does not answer, or takes no writes. Other services that do not are told in errors of their own. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return isReadOnly(error) || UNAVAILABLE_CLASSES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  // An `AggregateError` if the host has several addresses: it has the code, and names no system call.
  return NETWORK_CODES.has((error as NodeJS.ErrnoException).code ?? '') || OF_THE_CONNECTION.test(error.message);
}

/** Whether the data is valid, and the store only cannot write it now, but may later. */
export function isTransient(error: unknown): boolean {
  if (isThreadEnded(error)) return true;
  if (error instanceof SqliteError) return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|NOMEM)/.test(error.code);
  if (error instanceof DatabaseError) return isReadOnly(error) || TRANSIENT_CLASSES.test(error.code ?? '');
  return isDatabaseUnavailable(error) || (error instanceof Error && 'syscall' in error);
}
