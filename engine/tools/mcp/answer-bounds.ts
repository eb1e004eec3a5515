import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerLimitError } from '../../../models/http/answer-limits.ts';

/**
 * Bounds for the structure of an MCP server's answer, in addition to its size. 1 MiB holds 15,000 messages or 260,000
 * values, which the library parses and checks on the thread that paces the audio of all conversations.
 */

/**
 * Messages in one answer: progress and log messages, and the answer. Ten per second for the time limit of an answer.
 */
const MAX_MESSAGES = 1_000;
/** Messages in one JSON text (a batch), which is parsed at once. Only old servers send batches, of a few messages. */
const MAX_TOGETHER = 64;
/** Objects, lists and members: 100 tools with 40 properties each. The library checks them in one go. */
const MAX_VALUES = 10_000;
/** Nesting depth. Deeper values are left out, because the library reads recursively. */
const MAX_DEPTH = 128;
/** Bytes that are counted per turn of the event loop: well below a millisecond. */
const BYTES_PER_TURN = 32 * 1024;
/** Messages that are passed on per turn of the event loop. One takes some 0.1 ms. */
const MESSAGES_PER_TURN = 8;

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts the bytes of an answer: of JSON, or of server-sent events with JSON. */
class AnswerBounds {
  messages = 0;
  #values = 0;
  #depth = 0;
  #together = 0;
  #inText = false;
  #escaped = false;
  #lineEnds = 0;
  #afterCr = false;

  /** @returns the reason why the answer is refused; null while it is not. */
  take(byte: number): string | null {
    if (byte === LF || byte === CR) this.#lineEnd(byte);
    else this.#inLine(byte);
    if (this.messages > MAX_MESSAGES) return `sent more than ${MAX_MESSAGES} messages in one answer`;
    if (this.#together > MAX_TOGETHER) return `sent more than ${MAX_TOGETHER} messages at once`;
    return this.#values > MAX_VALUES ? `sent more than ${MAX_VALUES} values in one answer` : null;
  }

  /** Whether what comes now is nested too deeply. */
  get tooDeep(): boolean {
    return this.#depth > MAX_DEPTH;
  }

  /** JSON has no line end within a text. An empty line ends an event. */
  #lineEnd(byte: number): void {
    this.#inText = false;
    this.#escaped = false;
    if (byte === CR || !this.#afterCr) this.#lineEnds += 1;
    this.#afterCr = byte === CR;
    if (this.#lineEnds < 2) return;
    this.messages += 1;
    this.#lineEnds = 0;
    this.#depth = 0;
    this.#together = 0;
  }

  #inLine(byte: number): void {
    this.#lineEnds = 0;
    this.#afterCr = false;
    if (this.#inText) {
      if (byte === QUOTE && !this.#escaped) this.#inText = false;
      this.#escaped = byte === BACKSLASH && !this.#escaped;
    } else if (byte === QUOTE) this.#inText = true;
    else if (byte === COMMA) {
      this.#values += 1;
      if (this.#depth === 1) this.#together += 1;
    } else if (OPENING.has(byte)) {
      this.#values += 1;
      this.#depth += 1;
    } else if (CLOSING.has(byte)) this.#depth -= 1;
  }
}

/**
 * The same answer, a few messages at a time.
 * @param refused is told why an answer is refused, before reading it fails with the same AnswerLimitError.
 */
export function boundedAnswer(response: Response, refused: (error: AnswerLimitError) => void): Response {
  if (response.body === null) return response;
  const pieces = piecesOf(response.body, refused);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void pieces.return(undefined).catch(() => {}),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

async function* piecesOf(
  body: NonNullable<Response['body']>,
  refused: (error: AnswerLimitError) => void,
): AsyncGenerator<Uint8Array, undefined> {
  const shape = new AnswerBounds();
  for await (const bytes of body)
    for (let from = 0; from < bytes.length;) {
      const { kept, taken, reason } = nextPiece(shape, bytes.subarray(from, from + BYTES_PER_TURN));
      if (reason !== null) {
        const error = new AnswerLimitError('too-long', reason);
        refused(error);
        throw error;
      }
      from += taken;
      if (kept.length > 0) yield kept;
      await nextTurn();
    }
  return undefined;
}

/** @returns the first messages of `bytes` without what is too deep, and how many bytes these were. */
function nextPiece(shape: AnswerBounds, bytes: Uint8Array): { kept: Uint8Array; taken: number; reason: string | null } {
  const kept = new Uint8Array(bytes.length);
  const last = shape.messages + MESSAGES_PER_TURN;
  let length = 0;
  let taken = 0;
  let reason: string | null = null;
  while (taken < bytes.length && shape.messages < last && reason === null) {
    const byte = bytes[taken++]!;
    const deepBefore = shape.tooDeep;
    reason = shape.take(byte);
    // The bracket that opens the first value beyond the limit stays, and so does the one that closes it.
    if (!deepBefore || !shape.tooDeep) kept[length++] = byte;
  }
  return { kept: kept.subarray(0, length), taken, reason };
}
