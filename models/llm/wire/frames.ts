import { createParser } from 'eventsource-parser';

/** One JSON object of an answer. */
export type Frame = Readonly<Record<string, unknown>>;

/**
 * Cuts an answer into its JSON objects: server-sent events, a line of JSON each, or one JSON body where a stream was
 * asked for. What is no JSON object is skipped: empty events, comments, `keep-alive`, `null`. How the bytes are cut into
 * chunks makes no difference.
 */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: ({ data }) => this.#take(data) });
  #frames: Frame[] = [];
  /** Text of a body that is no stream; null once it is known to be one. */
  #body: string | null = '';
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
    if (start === '' || start.startsWith('{') || start.startsWith('[{')) return;
    this.#body = null;
    this.#parser.feed(start);
  }

  #take(data: string): void {
    // Some gateways wrap the events of others once more.
    const text = data.trim().replace(/^(?:data:\s*)+/, '');
    if (/^"?\[done\]"?$/i.test(text)) this.#ended = true;
    else if (!this.#takeJson(text)) for (const line of text.split('\n')) if (text.includes('\n')) this.#take(line);
  }

  #takeJson(text: string): boolean {
    if (!/^[[{]/.test(text)) return false;
    try {
      const value: unknown = JSON.parse(text);
      for (const frame of Array.isArray(value) ? value : [value]) if (isFrame(frame)) this.#frames.push(frame);
      return true;
    } catch {
      if (!text.includes('\n')) this.#broken = true;
      return false;
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
