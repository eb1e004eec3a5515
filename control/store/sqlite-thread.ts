import { inThread } from '../../runtime/in-thread.ts';
import type { WorkerEnd } from '../../runtime/link.ts';
import { Requests } from '../../runtime/requests.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { WorkerError } from '../../runtime/worker-error.ts';
import {
  type FromSqliteWorker,
  type SqliteOutcome,
  type SqliteRequest,
  type SqliteStatement,
  type SqliteWorkerData,
  THREAD_ENDED,
  type ToSqliteWorker,
} from './sqlite-protocol.ts';

/** An error of SQLite; `code` is its extended result code, for example `SQLITE_CONSTRAINT_UNIQUE`. */
export class SqliteError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** A thread that dies repeatedly is restarted only this often: without it nothing can be stored. */
const LONG_REST_MS = 5_000;
/** A disk needs milliseconds for the remaining writes. A disk that hangs must not keep the service from stopping. */
const STOP_WITHIN_MS = 10_000;

/**
 * One SQLite connection in a thread of its own. When it dies, another thread opens the file. Requests of one tick are
 * sent in one message: waking a thread costs more than most queries.
 */
export class SqliteThread {
  readonly #worker: SupervisedWorker<ToSqliteWorker, FromSqliteWorker>;
  readonly #requests: Requests<SqliteRequest, readonly SqliteOutcome[]>;
  #outgoing: SqliteRequest[] = [];
  /** `unproven`: no thread has opened the file so far. Whoever awaits `ready` says why. */
  #file: 'unproven' | 'good' = 'unproven';

  /** @param warn told of threads that ended. Never content. */
  constructor(data: SqliteWorkerData, warn: (message: string) => void = () => {}) {
    this.#worker = new SupervisedWorker<ToSqliteWorker, FromSqliteWorker>({
      name: 'The thread of the database',
      start: 'at once',
      longRestMs: LONG_REST_MS,
      stop: { message: 'close', withinMs: STOP_WITHIN_MS },
      launch: inThread(new URL('./sqlite-worker.ts', import.meta.url), {
        name: `sqlite-${data.role}`,
        workerData: data,
        execArgv: ['--disable-warning=ExperimentalWarning'],
      }),
      ready: (message) => {
        if (message !== 'ready') return false;
        this.#file = 'good';
        return true;
      },
      message: (message) => this.#settle(message),
      ended: (end, after) => {
        // A request that the thread never received must not run after its sender was told that it failed.
        this.#outgoing = [];
        this.#requests.rejectAll(errorOf(end, after.next === 'stopped'));
        if (after.next === 'restarts' && this.#file === 'good')
          warn(`The ${data.role} of the database ended (${end.how}); another one opens it.`);
      },
    });
    this.#requests = new Requests({
      clock: this.#worker.clock,
      kill: () => this.#worker.kill(),
      hand: (request) => {
        if (this.#outgoing.push(request) === 1) setImmediate(() => this.#flush());
        return null;
      },
    });
  }

  /** Resolves when the file is open. @throws SqliteError when it cannot be opened. */
  async ready(): Promise<void> {
    try {
      await this.#worker.ready();
    } catch (error) {
      throw sqliteError(error as WorkerError);
    }
  }

  /**
   * Runs the statements in one transaction. @throws SqliteError; unless it is `THREAD_ENDED`, none of them has
   * happened.
   */
  run(
    statements: readonly SqliteStatement[],
    options: Pick<SqliteRequest, 'insideTransaction' | 'ifFound'> = {},
  ): Promise<readonly SqliteOutcome[]> {
    return this.#requests.ask((id) => ({ id, statements, ...options }));
  }

  async control(step: 'begin' | 'commit' | 'rollback'): Promise<void> {
    await this.#requests.ask((id) => ({ id, statements: [], control: step }));
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#worker.stop();
  }

  killForTesting(): void {
    this.#worker.kill();
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    const requests = this.#outgoing;
    this.#outgoing = [];
    const refused = this.#worker.hand(requests);
    if (refused !== null) for (const { id } of requests) this.#requests.reject(id, sqliteError(refused));
  }

  #settle(answers: FromSqliteWorker): void {
    if (answers === 'ready') return;
    for (const answer of answers) {
      if ('error' in answer) this.#requests.reject(answer.id, new SqliteError(answer.error.message, answer.error.code));
      else this.#requests.resolve(answer.id, answer.outcomes);
    }
  }
}

function sqliteError({ reason, message, cause }: WorkerError): SqliteError {
  return errorOf({ how: message, error: (cause as Error | undefined) ?? null }, reason === 'stopped');
}

/** The class of an error is lost between threads, its code is not. */
function errorOf({ how, error }: WorkerEnd, stopped: boolean): SqliteError {
  if (stopped) return new SqliteError('The store is closed', 'CLOSED');
  const { code } = (error ?? {}) as { code?: string };
  return code?.startsWith('SQLITE_')
    ? new SqliteError(error!.message, code)
    : new SqliteError(`The database thread ended (${how})`, THREAD_ENDED);
}
