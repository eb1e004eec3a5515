import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../../actors/commands.ts';
import type { SessionEvent } from '../../../actors/events.ts';
import { retryKind } from '../../../models/llm/index.ts';
import {
  ProviderError,
  type LanguageModel,
  type LlmEvent,
  type LlmNotice,
  type LlmRequest,
} from '../../../models/ports.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { AnswerEnding } from './answer-ending.ts';
import { textSlices } from './text-slices.ts';

type Ask = Extract<SessionCommand, { type: 'llm.request' }>;

export interface LlmRunner {
  ask(command: Ask): void;
  /** Lets a server of one's own read how the first request will begin. */
  warm(opening: Pick<Ask, 'messages' | 'tools'>): void;
  /** Nothing more is heard of this request. Unknown ids are fine: the answer may just have ended. */
  cancel(requestId: string): void;
  close(): void;
}

/**
 * Longest wait for a server that still reads how the first request begins, ms. A second request beside it would have
 * both read at half the speed: a server of one's own has one processor for all.
 */
const WARMING_MS = 20_000;

export interface LlmRunnerOptions {
  readonly sessionId: string;
  readonly llm: LanguageModel | null;
  readonly dispatch: (event: SessionEvent) => void;
  /** Told of failures, also of those that another language model made good, without content. */
  readonly failed: (error: unknown) => void;
  /** Told of what an endpoint refused, and what was done about it, without content. */
  readonly noticed: (notice: LlmNotice) => void;
}

/** Runs a session's questions to its language model and turns what streams back into events. */
export function createLlmRunner(options: LlmRunnerOptions): LlmRunner {
  return new RequestRunner(options);
}

class RequestRunner implements LlmRunner {
  readonly #options: LlmRunnerOptions;
  readonly #running = new Map<string, AbortController>();
  #warmed: Promise<unknown> = Promise.resolve();

  constructor(options: LlmRunnerOptions) {
    this.#options = options;
  }

  ask(command: Ask): void {
    const { requestId } = command;
    const abort = new AbortController();
    this.#running.set(requestId, abort);
    let began = false;
    this.#run(command, abort.signal, () => (began = true))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#fail(requestId, error, began);
      })
      .finally(() => {
        if (this.#running.get(requestId) === abort) this.#running.delete(requestId);
      });
  }

  warm(opening: Pick<Ask, 'messages' | 'tools'>): void {
    const { sessionId, llm } = this.#options;
    const abort = new AbortController();
    this.#running.set('warm', abort);
    const request = { ...opening, sessionId, correlationId: sessionId, language: null };
    const reading = llm?.warm?.(request, abort.signal).finally(() => this.#running.delete('warm'));
    if (reading === undefined) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = systemTimers.setTimeout(() => resolve(), WARMING_MS);
    this.#warmed = Promise.race([reading, late]).finally(() => systemTimers.clearTimeout(timer));
  }

  cancel(requestId: string): void {
    this.#running.get(requestId)?.abort();
    this.#running.delete(requestId);
  }

  close(): void {
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
  }

  /** @param heard called with the first piece of the answer. */
  async #run(command: Ask, signal: AbortSignal, heard: () => void): Promise<void> {
    const { llm, dispatch } = this.#options;
    const { requestId } = command;
    if (llm === null) throw new ProviderError('none', 'unavailable', 'This session has no language model.');
    await this.#warmed;
    if (signal.aborted) return;
    const ending = new AnswerEnding();
    for await (const event of llm.stream(this.#request(command, signal), signal)) {
      heard();
      ending.take(event);
      for (const piece of eventsOf(requestId, event)) {
        if (signal.aborted) return;
        dispatch(piece);
        // An endpoint may send all of an answer at once: audio and video of others are due meanwhile.
        await nextTurn();
      }
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    const cut = ending.cut();
    if (cut === null) return dispatch({ type: 'llm.done', requestId });
    // The sentence is finished by another request.
    throw new ProviderError(llm.name, 'bad-response', cut);
  }

  #request(command: Ask, signal: AbortSignal): LlmRequest {
    const { sessionId, dispatch, failed, noticed } = this.#options;
    const { messages, tools, correlationId, language, mayBeEmpty } = command;
    return {
      messages,
      tools,
      sessionId,
      correlationId,
      language,
      used: (use) => !signal.aborted && dispatch({ type: 'provider.used', service: 'llm', ...use }),
      // What nobody wants any more costs as much as what is heard.
      metered: (use) => dispatch({ type: 'provider.metered', service: 'llm', ...use }),
      failed,
      noticed,
      ...(mayBeEmpty && { mayBeEmpty: true }),
    };
  }

  #fail(requestId: string, error: unknown, began: boolean): void {
    const { failed, dispatch } = this.#options;
    failed(error);
    const message = error instanceof ProviderError ? error.message : 'The language model failed.';
    const askAgain = retryKind(error, began);
    dispatch({ type: 'llm.failed', requestId, message, ...(askAgain !== null && { askAgain }) });
  }
}

function* eventsOf(requestId: string, event: LlmEvent): Generator<SessionEvent> {
  switch (event.type) {
    case 'text':
      if (event.spoken) return yield { type: 'llm.text', requestId, text: event.text, spoken: true };
      for (const text of textSlices(event.text)) yield { type: 'llm.text', requestId, text };
      return;
    case 'reasoning':
      for (const text of textSlices(event.text)) yield { type: 'llm.reasoning', requestId, text };
      return;
    case 'tool-call':
      return yield { type: 'llm.toolCall', requestId, call: event.call };
    case 'done':
      return;
  }
}
