import { AnswerStream, BrokenAnswerError, RefusedError } from '../wire/answer-reader.ts';
import { OpenAiReader } from '../wire/openai-reader.ts';

/** @returns what is said of an answer in OpenAI's form, and the calls in it; or how it was refused. */
export function readAnswer(body: string): string {
  const stream = new AnswerStream(new OpenAiReader(['get_weather', 'get_time'], { named: false }, false));
  try {
    return [...(stream.push(new TextEncoder().encode(body)) ?? []), ...stream.end()]
      .map((event) => {
        if (event.type === 'text') return event.text;
        return event.type === 'tool-call' ? `${event.call.name} ${event.call.arguments};` : '';
      })
      .join('');
  } catch (error) {
    if (error instanceof RefusedError) return `refused ${error.refusal.status}: ${error.refusal.message}`;
    if (error instanceof BrokenAnswerError) return error.kind;
    throw error;
  }
}

export const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** An answer of these deltas. */
export const answered = (...deltas: unknown[]): string =>
  [...deltas, {}]
    .map((delta, at) => frame({ choices: [{ index: 0, delta, finish_reason: at === deltas.length ? 'stop' : null }] }))
    .join('');
