import type { LlmEvent } from '../../ports.ts';
import { type Refusal, WEB_PAGE } from '../request/refusal.ts';
import { FrameReader, type Frame } from './frames.ts';
import { ReportedUsage } from './reported-usage.ts';
import type { WireForm } from './wire-form.ts';

/** What the end of an answer is judged by. */
export interface AnswerEnd {
  /** Whether the stream said that it ends. */
  readonly saidDone: boolean;
  /** Whether a part of it was no whole JSON. */
  readonly isBroken: boolean;
}

/** Reads the JSON objects of one format. */
export interface AnswerReader {
  /** @returns null when the frame has nothing of an answer. @throws RefusedError, AnswerLimitError */
  take(frame: Frame): readonly LlmEvent[] | null;
  /** @throws BrokenAnswerError, RefusedError */
  end(end: AnswerEnd): readonly LlmEvent[];
  /** Whether it was said why the answer ends. */
  readonly isComplete: boolean;
  /** Leaked calls that could not be read. */
  readonly unread: number;
  /** The format of the answer, where it is another one than was asked in. */
  readonly foreign?: WireForm | null;
}

/** The endpoint refuses the request, or fails, in its own words. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('the endpoint refused the request');
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}

/** The answer has no end, or nothing in it. The message is for logs. */
export class BrokenAnswerError extends Error {
  readonly kind: 'broken' | 'empty' | 'only-thought' | 'declined';

  constructor(kind: BrokenAnswerError['kind'], message: string) {
    super(message);
    this.name = 'BrokenAnswerError';
    this.kind = kind;
  }
}

/** From the bytes of an answer to its events. How the bytes are cut into chunks makes no difference. */
export class AnswerStream {
  readonly #frames = new FrameReader();
  readonly #reader: AnswerReader;
  readonly #usage: ReportedUsage;

  /** @param usage gets what the answer tells of its tokens. @defaultValue nobody wants to know */
  constructor(reader: AnswerReader, usage = new ReportedUsage()) {
    this.#reader = reader;
    this.#usage = usage;
  }

  /** @returns null when the chunk has nothing of an answer. */
  push(bytes: Uint8Array): readonly LlmEvent[] | null {
    return this.#take(this.#frames.push(bytes));
  }

  /** Whether the stream said that it ends: nothing comes after that. */
  get saidDone(): boolean {
    return this.#frames.saidDone;
  }

  /** Whether nothing of the answer is lost if its connection breaks now. */
  get isComplete(): boolean {
    return this.saidDone || this.#reader.isComplete;
  }

  end(): readonly LlmEvent[] {
    const last = this.#take(this.#frames.end()) ?? [];
    if (this.#frames.isPage)
      throw new RefusedError({ status: null, code: WEB_PAGE, param: null, message: '', numbers: {} });
    return [...last, ...this.#reader.end(this.#frames)];
  }

  #take(frames: readonly Frame[]): readonly LlmEvent[] | null {
    for (const frame of frames) this.#usage.take(frame);
    const taken = frames.map((frame) => this.#reader.take(frame)).filter((events) => events !== null);
    return taken.length === 0 ? null : taken.flat();
  }
}
