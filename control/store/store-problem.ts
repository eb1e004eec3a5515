import { DatabaseError } from 'pg';
import { StartError } from '../../runtime/start-error.ts';
import { SqliteError } from './sqlite-thread.ts';

/**
 * Error classes of PostgreSQL that the operator can solve: connection, authorization, database, resources, shutdown.
 */
const OPERATORS_CLASSES = /^(08|28|3D|53|57)/;

/** The description of a connection error that the system does not name. */
const NO_CONNECTION = /^(timeout|Connection terminated|The server does not support SSL|SASL)|certificate|ECONNRESET/;

/** Kysely's error when the database has migrations that this code does not have. */
const FROM_THE_FUTURE = /previously executed migration .* is missing/;

/**
 * Why the store could not be opened, in words for the operator.
 * @param file of SQLite, or null with PostgreSQL. @returns null for errors that only a developer can understand.
 */
export function storeProblem(error: unknown, file: string | null): StartError | null {
  if (!(error instanceof Error)) return null;
  const advice = FROM_THE_FUTURE.test(error.message)
    ? 'The database was written by a newer Parley. Start that version, or restore a backup from before the upgrade.'
    : file === null
      ? postgresAdvice(error)
      : sqliteAdvice(error, file);
  return advice === null ? null : new StartError(advice, { cause: error });
}

function sqliteAdvice(error: Error, file: string): string | null {
  if (!(error instanceof SqliteError)) return null;
  const { code, message } = error;
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `The database ${file} is damaged (${message}). Restore it from a backup; or move it away, and Parley begins with an empty one.`;
  if (code === 'SQLITE_FULL') return `The disk of the database ${file} is full. Make room on it.`;
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR|BUSY|LOCKED|PROTOCOL|NOLFS)/.test(code))
    return `The database ${file} cannot be used (${message}). This user must be able to read and write it and its folder.`;
  return null;
}

function postgresAdvice(error: Error): string | null {
  if (error instanceof DatabaseError) {
    return OPERATORS_CLASSES.test(error.code ?? '')
      ? `DATABASE_URL: the database refuses to work with Parley (${error.message}).`
      : null;
  }
  const { syscall = '' } = error as NodeJS.ErrnoException;
  return ['connect', 'getaddrinfo'].includes(syscall) || NO_CONNECTION.test(error.message)
    ? `DATABASE_URL: the database does not answer (${error.message}).`
    : null;
}
