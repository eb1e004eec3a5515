import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { ProviderError, type LanguageModel, type LlmEvent } from '../../models/ports.ts';
import { textSlices } from './text-slices.ts';

type Ask = Extract<SessionCommand, { type: 'llm.request' }>;

export interface LlmRunner {
  ask(command: Ask): void;
  /** Nothing more is heard of this request. Unknown ids are fine: the answer may just have ended. */
  cancel(requestId: string): void;
  close(): void;
}

/** Runs a session's questions to its language model and turns what streams back into events. */
export function createLlmRunner(options: {
  sessionId: string;
  llm: LanguageModel | null;
  dispatch: (event: SessionEvent) => void;
  /** Told of failures without content. */
  failed: (error: unknown) => void;
}): LlmRunner {
  const { sessionId, llm, dispatch } = options;
  const running = new Map<string, AbortController>();

  async function run(command: Ask, signal: AbortSignal): Promise<void> {
    const { requestId } = command;
    if (llm === null) throw new ProviderError('none', 'unavailable', 'This session has no language model.');
    const stream = llm.stream(
      {
        messages: command.messages,
        tools: command.tools,
        sessionId,
        correlationId: command.correlationId,
        language: command.language,
        used: (use) => !signal.aborted && dispatch({ type: 'provider.used', service: 'llm', ...use }),
      },
      signal,
    );
    for await (const event of stream) {
      for (const heard of eventsOf(requestId, event)) {
        if (signal.aborted) return;
        dispatch(heard);
        // An endpoint may send all of an answer at once: audio and video of others are due meanwhile.
        await nextTurn();
      }
      if (signal.aborted) return;
    }
    if (!signal.aborted) dispatch({ type: 'llm.done', requestId });
  }

  return {
    ask(command) {
      const abort = new AbortController();
      running.set(command.requestId, abort);
      run(command, abort.signal)
        .catch((error: unknown) => {
          if (abort.signal.aborted) return;
          options.failed(error);
          const message = error instanceof ProviderError ? error.message : 'The language model failed.';
          dispatch({ type: 'llm.failed', requestId: command.requestId, message });
        })
        .finally(() => {
          if (running.get(command.requestId) === abort) running.delete(command.requestId);
        });
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
