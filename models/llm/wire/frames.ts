import { createParser } from 'eventsource-parser';
import { jsonrepair } from 'jsonrepair';
import { endOfJson } from '../../../runtime/end-of-json.ts';

/** One JSON object of an answer. */
export type Frame = Readonly<Record<string, unknown>>;

const DONE = /^"?\[done\]"?$/i;
/** Longest line of JSON that is read before the next one comes. */
const MAX_LINE_LENGTH = 16 * 1024;
/** What servers leave between two values, or nothing. */
const BETWEEN = /^[\s,]*(?:data:\s*)*/;

/**
 * Cuts an answer into its JSON objects: server-sent events, a line of JSON each, or one JSON body where a stream was
 * asked for. What is no JSON object is skipped: empty events, comments, `keep-alive`, `null`. How the bytes are cut into
 * chunks makes no difference.
 */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: ({ event, data }) => this.#take(data, event) });
  #frames: Frame[] = [];
  /** Text of a body that is no stream; null once it is known to be one. */
  #body: string | null = '';
  #page = false;
  #ended = false;
  #broken = false;

  /** Whether the stream said that it ends (`[DONE]`). */
  get saidDone(): boolean {
    return this.#ended;
  }

  /** Whether something began like JSON and was not whole. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** Whether it is a page for people, whatever its type says. */
  get isPage(): boolean {
    return this.#page;
  }

  push(bytes: Uint8Array): Frame[] {
    this.#feed(this.#decoder.decode(bytes, { stream: true }));
    return this.#taken();
  }

  end(): Frame[] {
    this.#feed(this.#decoder.decode());
    if (this.#body !== null) this.#take(this.#body);
    else {
      // An event counts without the empty line after it, too.
      this.#parser.feed('\n\n');
      this.#parser.reset({ consume: true });
    }
    return this.#taken();
  }

  #feed(text: string): void {
    if (this.#body === null) return this.#parser.feed(text);
    this.#body += text;
    const start = this.#body.trimStart();
    if (!/^(?:\{|\[\s*(?:\{|$)|$)/.test(start)) {
      this.#body = null;
      this.#page = /^<(?:!doctype|html)/i.test(start);
      return this.#parser.feed(start);
    }
    // Of lines of JSON, each is read as it comes.
    if (start.length <= MAX_LINE_LENGTH && text.trimEnd().endsWith('}')) this.#body = this.#takeValues(start);
  }

  /** @param event name of a server-sent event: some say by it that the answer is over. */
  #take(data: string, event = ''): void {
    // Some gateways wrap the events of others once more.
    const text = unquoted(data.trim().replace(/^(?:data:\s*)+/, ''));
    if (DONE.test(text) || /^(?:end|done)$/i.test(event)) this.#ended = true;
    if (/^[[{]/.test(text) && !DONE.test(text)) {
      const rest = this.#takeValues(text);
      if (rest.includes('\n')) for (const line of rest.split('\n')) this.#take(line);
      else if (DONE.test(rest)) this.#ended = true;
      else if (/^[[{]/.test(rest)) this.#broken = true;
    } else if (text.includes('\n')) for (const line of text.split('\n')) this.#take(line);
  }

  /** Takes whole values, with or without a line between them. @returns what comes after them. */
  #takeValues(text: string): string {
    for (let rest = text; ; rest = rest.replace(BETWEEN, '')) {
      const end = /^[[{]/.test(rest) && !/^\[done\]/i.test(rest) ? endOfJson(rest, 0) : -1;
      if (end === -1) return rest;
      const value = valueOf(rest.slice(0, end));
      if (value === undefined) this.#broken = true;
      for (const frame of Array.isArray(value) ? value : [value]) if (isFrame(frame)) this.#frames.push(frame);
      rest = rest.slice(end);
    }
  }

  #taken(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }
}

export function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON that was made JSON once more: the text that it is. */
function unquoted(text: string): string {
  const value = /^"\s*[[{]/.test(text) ? valueOf(text) : undefined;
  return typeof value === 'string' ? value.trim() : text;
}

/** Of JSON, also with a line break in a text, `NaN`, or in the form of Python. */
function valueOf(text: string): unknown {
  for (const read of [() => text, () => jsonrepair(text)])
    try {
      return JSON.parse(read()) as unknown;
    } catch {
      continue;
    }
  return undefined;
}
