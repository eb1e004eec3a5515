import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { ProviderError, type LanguageModel } from '../../models/ports.ts';

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
      },
      signal,
    );
    for await (const event of stream) {
      if (signal.aborted) return;
      switch (event.type) {
        case 'text':
          dispatch({ type: 'llm.text', requestId, text: event.text });
          break;
        case 'reasoning':
          dispatch({ type: 'llm.reasoning', requestId, text: event.text });
          break;
        case 'tool-call':
          dispatch({ type: 'llm.toolCall', requestId, call: event.call });
          break;
        case 'done':
          break;
      }
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
