import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../../actors/commands.ts';
import type { SessionEvent } from '../../../actors/events.ts';
import { helpsToAskAgain } from '../../../models/llm/index.ts';
import { ProviderError, type LanguageModel, type LlmEvent, type LlmNotice } from '../../../models/ports.ts';
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

/** Runs a session's questions to its language model and turns what streams back into events. */
export function createLlmRunner(options: {
  sessionId: string;
  llm: LanguageModel | null;
  dispatch: (event: SessionEvent) => void;
  /** Told of failures, also of those that another language model made good, without content. */
  failed: (error: unknown) => void;
  /** Told of what an endpoint refused, and what was done about it, without content. */
  noticed: (notice: LlmNotice) => void;
}): LlmRunner {
  const { sessionId, llm, dispatch } = options;
  const running = new Map<string, AbortController>();
  let warmed: Promise<unknown> = Promise.resolve();

  /** @param heard called with the first piece of the answer. */
  async function run(command: Ask, signal: AbortSignal, heard: () => void): Promise<void> {
    const { requestId } = command;
    if (llm === null) throw new ProviderError('none', 'unavailable', 'This session has no language model.');
    await warmed;
    if (signal.aborted) return;
    const stream = llm.stream(
      {
        messages: command.messages,
        tools: command.tools,
        sessionId,
        correlationId: command.correlationId,
        language: command.language,
        used: (use) => !signal.aborted && dispatch({ type: 'provider.used', service: 'llm', ...use }),
        failed: options.failed,
        noticed: options.noticed,
        ...(command.mayBeEmpty && { mayBeEmpty: true }),
      },
      signal,
    );
    const ending = new AnswerEnding();
    for await (const event of stream) {
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

  return {
    ask(command) {
      const abort = new AbortController();
      running.set(command.requestId, abort);
      let began = false;
      run(command, abort.signal, () => (began = true))
        .catch((error: unknown) => {
          if (abort.signal.aborted) return;
          options.failed(error);
          const message = error instanceof ProviderError ? error.message : 'The language model failed.';
          const askAgain = helpsToAskAgain(error, began);
          dispatch({
            type: 'llm.failed',
            requestId: command.requestId,
            message,
            ...(askAgain !== null && { askAgain }),
          });
        })
        .finally(() => {
          if (running.get(command.requestId) === abort) running.delete(command.requestId);
        });
    },
    warm(opening) {
      const abort = new AbortController();
      running.set('warm', abort);
      const request = { ...opening, sessionId, correlationId: sessionId, language: null };
      const reading = llm?.warm?.(request, abort.signal).finally(() => running.delete('warm'));
      if (reading === undefined) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = systemTimers.setTimeout(() => resolve(), WARMING_MS);
      warmed = Promise.race([reading, late]).finally(() => systemTimers.clearTimeout(timer));
    },
    cancel(requestId) {
      running.get(requestId)?.abort();
      running.delete(requestId);
    },
    close() {
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}

function* eventsOf(requestId: string, event: LlmEvent): Generator<SessionEvent> {
  switch (event.type) {
    case 'text':
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
