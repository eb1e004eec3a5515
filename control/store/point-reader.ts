import Sqlite from 'better-sqlite3';

/** A connection for reads by key on the calling thread. It only reads committed data, and never waits. */
export interface PointReader {
  /** @returns null when it could not be read at once; ask the reader thread then. */
  read<T>(query: { readonly sql: string; readonly parameters: readonly unknown[] }): T[] | null;
  close(): void;
}

/** Prepared statements are kept. They are few, because only their parameters differ. */
const STATEMENT_CACHE = 200;

/** @param file may not exist yet: it is opened at the first read. */
export function pointReader(file: string): PointReader {
  let database: Sqlite.Database | null = null;
  const statements = new Map<string, Sqlite.Statement>();
  return {
    read<T>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) {
      try {
        // No timeout: a locked database must not block this thread.
        database ??= new Sqlite(file, { readonly: true, timeout: 0 });
        let statement = statements.get(sql);
        if (statement === undefined) {
          statement = database.prepare(sql);
          if (statements.size >= STATEMENT_CACHE) statements.clear();
          statements.set(sql, statement);
        }
        return statement.all(...parameters) as T[];
      } catch {
        return null;
      }
    },
    close() {
      database?.close();
    },
  };
}
