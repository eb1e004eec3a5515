import { Worker } from 'node:worker_threads';
import type {
  SqliteAnswer,
  SqliteOutcome,
  SqliteRequest,
  SqliteStatement,
  SqliteWorkerData,
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

interface Pending {
  resolve(outcomes: readonly SqliteOutcome[]): void;
  reject(error: Error): void;
}

/** One SQLite connection in a thread of its own. Requests of one tick travel in one message: waking a thread costs more than most queries. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #outgoing: SqliteRequest[] = [];
  #nextId = 1;
  #dead: Error | null = null;
  readonly #exited: Promise<void>;

  constructor(data: SqliteWorkerData) {
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      workerData: data,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#worker.on('message', (answers: SqliteAnswer[]) => this.#settle(answers));
    // The class of an error does not survive the way between threads, its code does.
    this.#worker.on('error', (error: Error & { code?: string }) =>
      this.#die(new SqliteError(error.message, error.code ?? 'UNKNOWN')),
    );
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new SqliteError('The store is closed', 'CLOSED'));
        resolve();
      });
    });
  }

  /** Runs the statements in one transaction. @throws SqliteError and then none of them has happened. */
  run(statements: readonly SqliteStatement[], insideTransaction = false): Promise<readonly SqliteOutcome[]> {
    return this.#send({ id: this.#nextId, statements, insideTransaction });
  }

  async control(step: 'begin' | 'commit' | 'rollback'): Promise<void> {
    await this.#send({ id: this.#nextId, statements: [], control: step });
  }

  async close(): Promise<void> {
    if (this.#dead === null) {
      this.#flush();
      this.#worker.postMessage('close');
    }
    await this.#exited;
  }

  #send(request: SqliteRequest): Promise<readonly SqliteOutcome[]> {
    if (this.#dead !== null) return Promise.reject(this.#dead);
    this.#nextId += 1;
    if (this.#outgoing.push(request) === 1) setImmediate(() => this.#flush());
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
    });
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    const requests = this.#outgoing;
    this.#outgoing = [];
    this.#worker.postMessage(requests);
  }

  #settle(answers: readonly SqliteAnswer[]): void {
    for (const answer of answers) {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ('error' in answer) pending?.reject(new SqliteError(answer.error.message, answer.error.code));
      else pending?.resolve(answer.outcomes);
    }
  }

  #die(error: Error): void {
    this.#dead ??= error;
    for (const pending of this.#pending.values()) pending.reject(this.#dead);
    this.#pending.clear();
  }
}
