import { randomUUID } from 'node:crypto';
import type { BrowserContext, Frame } from 'playwright-core';
import { z } from 'zod';
import type { FromPage, PageSettings, RoomReader, ToPage } from '../page/page-messages.ts';

/** What a page may send. The script is ours; the page around it is not. */
const signal = z.discriminatedUnion('actionType', [
  z.object({
    type: z.literal('signal'),
    actionType: z.literal('offer'),
    payload: z.object({
      connectionDescription: z.object({ type: z.literal('offer'), sdp: z.string().max(65_536) }),
      userUid: z.string().max(128),
    }),
  }),
  z.object({
    type: z.literal('signal'),
    actionType: z.literal('icecandidate'),
    payload: z.object({
      candidate: z.string().max(2_048),
      sdpMid: z.string().max(64).nullish(),
      sdpMLineIndex: z.number().nullish(),
      usernameFragment: z.string().max(256).nullish(),
    }),
  }),
]);
const fromPage = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['next']) }),
  z.object({ type: z.enum(['media_taken']) }),
  z.object({ type: z.enum(['media_sent']) }),
  z.object({ type: z.enum(['session_lost']) }),
  z.object({
    type: z.literal('room'),
    participants: z.array(z.object({ id: z.string().min(1).max(128), name: z.string().max(100) })).max(200),
  }),
  signal,
]);

type Reported = Exclude<FromPage, { type: 'next' | 'media_taken' }>;

export interface PageBridgeHandlers {
  /** A document has taken the persona's devices: what is sent from now on goes there. */
  taken(): void;
  /** From the document that has the devices. */
  reported(message: Reported): void;
}

/** The line between the process and the script in the meeting's page. */
export class PageBridge {
  readonly #handlers: PageBridgeHandlers;
  #document: Frame | null = null;
  #queue: ToPage[] = [];
  #asking: ((message: ToPage | null) => void) | null = null;

  private constructor(handlers: PageBridgeHandlers) {
    this.#handlers = handlers;
  }

  /** Puts the script into every document that the context opens from now on. @param script with `ParleyPage.install`. */
  static async attach(
    context: BrowserContext,
    script: string,
    settings: Omit<PageSettings, 'binding'>,
    readRoom: RoomReader,
    handlers: PageBridgeHandlers,
  ): Promise<PageBridge> {
    const bridge = new PageBridge(handlers);
    const binding = `call${randomUUID().replaceAll('-', '')}`;
    await context.exposeBinding(binding, ({ frame }, message: unknown) => bridge.#called(frame, message));
    const given = JSON.stringify({ ...settings, binding } satisfies PageSettings);
    // `readRoom` may be a method.
    await context.addInitScript({
      content: `(() => { ${script}\nParleyPage.install(${given}, ({ ${asMethod(readRoom)} }).readRoom); })();`,
    });
    return bridge;
  }

  send(message: ToPage): void {
    if (this.#asking === null) this.#queue.push(message);
    else this.#answer(message);
  }

  /** Nothing more is sent. */
  close(): void {
    this.#answer(null);
  }

  #answer(message: ToPage | null): void {
    this.#asking?.(message);
    this.#asking = null;
  }

  #called(frame: Frame, given: unknown): Promise<ToPage | null> | null {
    const parsed = fromPage.safeParse(given);
    if (!parsed.success) return null;
    const message = parsed.data as FromPage;
    if (message.type === 'media_taken') {
      // A page that was loaded again begins anew.
      this.#document = frame;
      this.#queue = [];
      this.close();
      this.#handlers.taken();
    } else if (frame !== this.#document) {
      return null;
    } else if (message.type === 'next') {
      const next = this.#queue.shift();
      if (next !== undefined) return Promise.resolve(next);
      return new Promise((resolve) => (this.#asking = resolve));
    } else {
      this.#handlers.reported(message);
    }
    return null;
  }
}

/** @returns the source of a function as a method called `readRoom`, whether it was written as one or not. */
function asMethod(reader: RoomReader): string {
  const source = String(reader);
  return /^(?:async\s+)?readRoom\s*\(/.test(source) ? source : `readRoom: ${source}`;
}
