import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteOutcome, SqliteStatement } from './sqlite-protocol.ts';
import { SqliteThread } from './sqlite-thread.ts';

/**
 * Kysely over SQLite in separate threads: one writes, one reads (a WAL reader sees the last commit and never waits for
 * a flush). A transaction of several round trips blocks other writes until it ends.
 */
export class SqliteDialect implements Dialect {
  readonly driver: SqliteDriver;
  /** @param warn told of threads that ended. */
  constructor(file: string, warn?: (message: string) => void) {
    this.driver = new SqliteDriver(file, warn);
  }
  createAdapter() {
    return new ThreadedSqliteAdapter();
  }
  createDriver() {
    return this.driver;
  }
  createQueryCompiler() {
    return new StablePlans();
  }
  createIntrospector(db: Kysely<never>) {
    return new SqliteIntrospector(db);
  }
}

/**
 * Writes `+?` for a parameter. This SQLite is built with STAT4: where a bare `?` could influence the plan, it plans the
 * statement anew whenever the value changes, which costs 3 to 10 µs and, without `ANALYZE`, changes nothing.
 */
class StablePlans extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

class ThreadedSqliteAdapter extends SqliteAdapter {
  /** All migrations happen, or none: a service that is killed in the middle of one starts again. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Without this, Kysely would run one query at a time, and no two writes could share a commit. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #warn: ((message: string) => void) | undefined;
  #writer: SqliteThread | null = null;
  #reader: SqliteThread | null = null;
  /** Settles when the transactions that are open or queued have ended; null when there is none. */
  #exclusive: Promise<void> | null = null;

  constructor(file: string, warn?: (message: string) => void) {
    this.#file = file;
    this.#warn = warn;
  }

  async init(): Promise<void> {
    this.#writer = new SqliteThread({ file: this.#file, role: 'writer' }, this.#warn);
    try {
      // The reader can only open a file that exists and is in WAL mode already.
      await this.#writer.ready();
    } catch (error) {
      // A driver that was never open is not closed.
      await this.#writer.close();
      throw error;
    }
    this.#reader = new SqliteThread({ file: this.#file, role: 'reader' }, this.#warn);
  }

  /** Statements that take effect together, in one message. @param options.ifFound if the first one changes a row. */
  async atomically(
    statements: readonly SqliteStatement[],
    options: { readonly ifFound?: boolean } = {},
  ): Promise<readonly SqliteOutcome[]> {
    await this.#turn();
    return this.#writer!.run(statements, options);
  }

  async #turn(): Promise<void> {
    while (this.#exclusive !== null) await this.#exclusive;
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#writer!, this.#reader!, () => this.#turn());
  }
  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    const before = this.#exclusive;
    let release = (): void => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#exclusive = mine;
    await before;
    connection.enter(() => {
      if (this.#exclusive === mine) this.#exclusive = null;
      release();
    });
    try {
      await this.#writer!.control('begin');
    } catch (error) {
      // A transaction that has not begun is not ended.
      connection.leave();
      throw error;
    }
  }
  async commitTransaction(connection: SqliteConnection): Promise<void> {
    try {
      await this.#writer!.control('commit');
    } finally {
      connection.leave();
    }
  }
  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    try {
      await this.#writer!.control('rollback');
    } finally {
      connection.leave();
    }
  }

  get threadsForTesting(): readonly SqliteThread[] {
    return [this.#writer!, this.#reader!];
  }

  async destroy(): Promise<void> {
    await this.#reader?.close();
    await this.#writer?.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: SqliteThread;
  readonly #reader: SqliteThread;
  readonly #turn: () => Promise<void>;
  /** Lets other writes continue; null outside a transaction. */
  #release: (() => void) | null = null;

  constructor(writer: SqliteThread, reader: SqliteThread, turn: () => Promise<void>) {
    this.#writer = writer;
    this.#reader = reader;
    this.#turn = turn;
  }

  enter(release: () => void): void {
    this.#release = release;
  }
  leave(): void {
    this.#release?.();
    this.#release = null;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const outcome = (await this.#run(query))[0]!;
    return { rows: outcome.rows as R[], numAffectedRows: BigInt(outcome.changes) };
  }

  async #run(query: CompiledQuery): Promise<readonly SqliteOutcome[]> {
    const statement = { sql: query.sql, parameters: query.parameters };
    if (this.#release !== null) return this.#writer.run([statement], { insideTransaction: true });
    if (SelectQueryNode.is(query.query)) return this.#reader.run([statement]);
    await this.#turn();
    return this.#writer.run([statement]);
  }

  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported: page through the rows instead');
  }
}
