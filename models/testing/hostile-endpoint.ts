import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** How a model endpoint answers every request, whatever its path: the same for chat, speech, webhooks and frames. */
export interface Behavior {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent, one write each. May be without end: the client is expected to leave. */
  pieces(): Iterable<Uint8Array | string>;
  /** Wait between two pieces. @defaultValue none: as fast as the client reads */
  readonly gapMs?: number;
  /** What becomes of the answer after its pieces. @defaultValue it ends as it should */
  readonly afterwards?: 'stay silent' | 'close the sending half';
}

export interface HostileEndpoint {
  readonly url: string;
  /** Bytes of all answers so far, as they went over the wire. */
  readonly sentBytes: number;
  readonly requests: number;
  /** Answers that a client left before their end. */
  readonly abandoned: number;
  close(): Promise<void>;
}

/** An unprotected client reads this much of an answer, then it is over: no test eats the machine. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Listens on this machine and treats whoever asks badly. */
export async function hostileEndpoint(behavior: Behavior, mostBytes = MAX_BYTES): Promise<HostileEndpoint> {
  const counts = { sentBytes: 0, requests: 0, abandoned: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    request.resume();
    response.on('close', () => {
      if (!response.writableFinished) counts.abandoned += 1;
    });
    // A client that leaves is what is hoped for.
    answer(response).catch(() => {});
  });

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for (const piece of behavior.pieces()) {
      const bytes = Buffer.from(piece);
      yield bytes;
      sent += bytes.length;
      counts.sentBytes += bytes.length;
      if (sent > mostBytes) return;
      if (behavior.gapMs !== undefined) await pause(behavior.gapMs);
    }
  }

  async function answer(response: ServerResponse): Promise<void> {
    response.writeHead(behavior.status ?? 200, { 'content-type': 'text/event-stream', ...behavior.headers });
    response.flushHeaders();
    await pipeline(pieces, response, { end: behavior.afterwards === undefined });
    if (behavior.afterwards === 'close the sending half') response.socket?.end();
  }

  // What takes long to make is made before anybody waits for it.
  behavior.pieces()[Symbol.iterator]().next();
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return counts.sentBytes;
    },
    get requests() {
      return counts.requests;
    },
    get abandoned() {
      return counts.abandoned;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function* endless<T>(...pieces: T[]): Generator<T> {
  for (;;) yield* pieces;
}

function* first(head: string, rest: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  yield head;
  yield* rest;
}

const letters = (count: number): Buffer => Buffer.alloc(count, 'a');
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chat = (delta: object): string =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] });
const toolCall = (index: number, part: object): string => chat({ tool_calls: [{ index, ...part }] });

const BOMB_BYTES = 64 * 1024 * 1024;
/** Of 64 KiB. Members of a gzip file may follow each other, so a few of them stand for gigabytes. */
const gzipMember = once(() => gzipSync(letters(BOMB_BYTES)));
/** Of less than a kilobyte. */
const brotliBomb = once(() =>
  brotliCompressSync(letters(BOMB_BYTES), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };

/** What endpoints were seen to do, by mistake or on purpose. Those with `chat` in their name speak OpenAI's format. */
export const BEHAVIORS = {
  'a line without end': { pieces: () => first('data: ', endless(letters(65_536))) },
  'a line without end, one byte at a time': { pieces: () => first('data: ', endless(letters(1))) },
  'a line that drips': { pieces: () => first('data: ', endless(letters(1))), gapMs: 20 },
  'sound without end': {
    headers: { 'content-type': 'audio/pcm' },
    pieces: () => endless('\u0010\u0001'.repeat(32_768)),
  },
  'an error without end': { status: 500, headers: JSON_TYPE, pieces: () => endless(letters(65_536)) },
  'an error that drips': { status: 500, headers: JSON_TYPE, pieces: () => endless('x'), gapMs: 20 },
  'JSON without end': { headers: JSON_TYPE, pieces: () => first('{"text":"', endless(letters(65_536))) },
  'JSON that drips': { headers: JSON_TYPE, pieces: () => first('{"text":"', endless('a')), gapMs: 20 },
  'a gzip bomb': { headers: GZIP, pieces: () => endless(gzipMember()) },
  'a gzip bomb as JSON': { headers: { ...GZIP, ...JSON_TYPE }, pieces: () => endless(gzipMember()) },
  'a gzip bomb as an error': { status: 500, headers: { ...GZIP, ...JSON_TYPE }, pieces: () => endless(gzipMember()) },
  'a brotli bomb': { headers: { 'content-encoding': 'br' }, pieces: () => [brotliBomb()] },
  'keep-alives without end': { pieces: () => endless(': still there\n\n'), gapMs: 5 },
  'empty lines without end': { pieces: () => endless('\n'.repeat(1_024)) },
  silence: { pieces: () => [], afterwards: 'stay silent' },
  'half a line, then a closed half': { pieces: () => ['data: {"choices"'], afterwards: 'close the sending half' },
  'empty chat events without end': { pieces: () => endless(chat({})), gapMs: 1 },
  'chat words without end': { pieces: () => endless(chat({ content: 'and so on ' }).repeat(200)) },
  'chat tool arguments without end': {
    pieces: () =>
      first(
        toolCall(0, { id: 'a', function: { name: 'look', arguments: '{"x":"' } }),
        endless(toolCall(0, { function: { arguments: 'a'.repeat(1_000) } })),
      ),
  },
  'chat tool calls without end': {
    *pieces() {
      const look = { name: 'look', arguments: '{}' };
      for (let index = 0; ; index += 1) yield toolCall(index, { id: `call-${index}`, function: look });
    },
  },
} as const satisfies Record<string, Behavior>;

export type BehaviorName = keyof typeof BEHAVIORS;
