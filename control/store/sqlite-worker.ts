import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import {
  type FromSqliteWorker,
  type SqliteAnswer,
  type SqliteOutcome,
  type SqliteRequest,
  type SqliteStatement,
  type SqliteWorkerData,
  THREAD_ENDED,
  type ToSqliteWorker,
} from './sqlite-protocol.ts';

/**
 * The thread in which SQLite runs, so that neither a query nor a commit stalls the thread that paces media.
 * The writer commits in groups: everything that arrived while the previous commit was being flushed to disk goes into
 * the next one. So `synchronous=FULL` costs one flush per group, and an acknowledged write also survives a power cut.
 */

const { file, role } = workerData as SqliteWorkerData;
const port = parentPort!;
const post = (message: FromSqliteWorker): void => port.postMessage(message);

/** How many prepared statements are kept; queries with lists of different lengths are different statements. */
const STATEMENT_CACHE = 400;
/** Requests in one group: bounds how long the first of them waits. */
const MAX_GROUP_SIZE = 256;

const database = new Sqlite(file, { readonly: role === 'reader', timeout: 5000 });
if (role === 'writer') {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
}
// SQLite's own lower() knows only ASCII.
database.function('lower', { deterministic: true }, (value) =>
  typeof value === 'string' ? value.toLowerCase() : value,
);
database.function('cosine', { deterministic: true }, cosine);

const statements = new Map<string, Sqlite.Statement>();

function prepare(sql: string): Sqlite.Statement {
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = database.prepare(sql);
    if (statements.size >= STATEMENT_CACHE) statements.delete(statements.keys().next().value!);
    statements.set(sql, statement);
  }
  return statement;
}

function run({ sql, parameters }: SqliteStatement): SqliteOutcome {
  const statement = prepare(sql);
  if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
  return { rows: [], changes: statement.run(...parameters).changes };
}

/** All statements or none, inside the group's transaction. */
function runAtomically([first, ...others]: readonly SqliteStatement[], ifFound: boolean): SqliteOutcome[] {
  database.exec('SAVEPOINT batch');
  try {
    const outcomes = [run(first!)];
    if (!ifFound || outcomes[0]!.changes > 0) outcomes.push(...others.map(run));
    database.exec('RELEASE batch');
    return outcomes;
  } catch (error) {
    // A full disk or a similar error has already rolled everything back.
    if (database.inTransaction) database.exec('ROLLBACK TO batch; RELEASE batch');
    throw error;
  }
}

function refusal(id: number, error: unknown): SqliteAnswer {
  const { message, code } = error as { message?: string; code?: string };
  return { id, error: { message: String(message ?? error), code: code ?? 'UNKNOWN' } };
}

function answerTo(request: SqliteRequest): SqliteAnswer {
  try {
    return { id: request.id, outcomes: runAtomically(request.statements, request.ifFound ?? false) };
  } catch (error) {
    return refusal(request.id, error);
  }
}

/** One commit for many independent requests. A request that fails does not affect the others. */
function commitGroup(group: readonly SqliteRequest[]): SqliteAnswer[] {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    return group.map(({ id }) => refusal(id, error));
  }
  const answers = group.map(answerTo);
  try {
    database.exec('COMMIT');
    return answers;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    return group.map(({ id }) => refusal(id, error));
  }
}

function read(request: SqliteRequest): SqliteAnswer {
  try {
    // The transaction ended with the previous thread, or because of a full disk. The rest must not take effect alone.
    if (request.insideTransaction === true && !database.inTransaction)
      throw Object.assign(new Error('The transaction is over'), { code: THREAD_ENDED });
    return { id: request.id, outcomes: request.statements.map(run) };
  } catch (error) {
    return refusal(request.id, error);
  }
}

/** `begin`, `commit` and `rollback` of a transaction that spans messages; meanwhile the driver blocks all others. */
function control(request: SqliteRequest): SqliteAnswer {
  try {
    if (request.control === 'rollback' && !database.inTransaction) return { id: request.id, outcomes: [] };
    database.exec(
      request.control === 'begin' ? 'BEGIN IMMEDIATE' : request.control === 'commit' ? 'COMMIT' : 'ROLLBACK',
    );
    return { id: request.id, outcomes: [] };
  } catch (error) {
    return refusal(request.id, error);
  }
}

function isGroupable(request: SqliteRequest): boolean {
  return request.control === undefined && !request.insideTransaction;
}

let waiting: SqliteRequest[] = [];

function handle(): void {
  while (waiting.length > 0) {
    const first = waiting[0]!;
    if (role === 'writer' && isGroupable(first)) {
      let end = 1;
      while (end < waiting.length && end < MAX_GROUP_SIZE && isGroupable(waiting[end]!)) end += 1;
      const group = waiting.slice(0, end);
      waiting = waiting.slice(end);
      post(commitGroup(group));
    } else if (role === 'reader') {
      const all = waiting;
      waiting = [];
      post(all.map(read));
    } else {
      waiting = waiting.slice(1);
      post([first.control === undefined ? read(first) : control(first)]);
    }
    takeArrivals();
  }
}

function takeArrivals(): void {
  for (let arrived = receiveMessageOnPort(port); arrived !== undefined; arrived = receiveMessageOnPort(port))
    enqueue(arrived.message);
}

function enqueue(message: ToSqliteWorker): void {
  if (message !== 'close') {
    waiting.push(...message);
    return;
  }
  post(waiting.map(({ id }) => refusal(id, new Error('The store is closed'))));
  waiting = [];
  database.close();
  port.close();
}

port.on('message', (message: ToSqliteWorker) => {
  enqueue(message);
  takeArrivals();
  handle();
});
post('ready');

/** Closeness of two vectors stored as little-endian float32, -1…1; null when they do not fit together. */
function cosine(left: unknown, right: unknown): number | null {
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array) || left.byteLength !== right.byteLength)
    return null;
  const a = floats(left);
  const b = floats(right);
  let product = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let i = 0; i < a.length; i += 1) {
    product += a[i]! * b[i]!;
    lengthA += a[i]! * a[i]!;
    lengthB += b[i]! * b[i]!;
  }
  return lengthA === 0 || lengthB === 0 ? null : product / Math.sqrt(lengthA * lengthB);
}

function floats(bytes: Uint8Array): Float32Array {
  // A row's blob may begin anywhere in SQLite's buffer; Float32Array needs offsets that are multiples of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
