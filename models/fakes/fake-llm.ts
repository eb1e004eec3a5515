import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest } from '../ports.ts';
import { wait } from './wait.ts';

/** One scripted answer: text in tokens, reasoning, tool calls or a failure, in order. */
export type FakeStep =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'fail'; readonly message: string };

export interface FakeLlmOptions {
  /** Answers in the order of the requests, or a function of the request. After the last one it says "Done." */
  readonly answers: readonly (readonly FakeStep[])[] | ((request: LlmRequest) => readonly FakeStep[]);
  /** From the request to the first token. @defaultValue 0 */
  readonly firstTokenMs?: number;
  /** Between tokens. @defaultValue 0 */
  readonly tokenMs?: number;
}

/** A language model that streams a script, token by token, with declared delays. Keeps the requests it was sent. */
export function createFakeLlm(options: FakeLlmOptions): LanguageModel & { readonly requests: readonly LlmRequest[] } {
  const { answers, firstTokenMs = 0, tokenMs = 0 } = options;
  const requests: LlmRequest[] = [];
  return {
    name: 'fake',
    requests,
    async *stream(request, signal): AsyncGenerator<LlmEvent> {
      requests.push(request);
      const turn = requests.length;
      const steps =
        typeof answers === 'function' ? answers(request) : (answers[turn - 1] ?? [{ type: 'text', text: 'Done.' }]);
      await wait(firstTokenMs, signal);
      let calls = 0;
      for (const step of steps) {
        switch (step.type) {
          case 'text':
          case 'reasoning':
            for (const token of tokens(step.text)) {
              yield { type: step.type, text: token };
              await wait(tokenMs, signal);
            }
            break;
          case 'tool-call':
            calls += 1;
            yield {
              type: 'tool-call',
              call: { id: `call-${turn}-${calls}`, name: step.name, arguments: step.arguments },
            };
            break;
          case 'fail':
            throw new ProviderError('fake', 'server', step.message);
        }
      }
      yield { type: 'done', finishReason: calls > 0 ? 'tool_calls' : 'stop' };
    },
  };
}

/** A word with the space before it: what real models stream is about as long. */
function tokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}
