import type { RetryKind } from '../../models/ports.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { LlmOutput } from './llm-output.ts';

/** Warnings for the client, the report and the log when a reply fails in part. */

export function tellCutShort(env: SessionEnvironment, output: LlmOutput): void {
  env.log('reply_cut_short', { characters: output.saidText.length, segments: output.segments });
  env.perform({
    type: 'signal.warning',
    code: 'reply_cut_short',
    text: 'The answer of the language model is longer than a persona can speak: its end is left out.',
  });
}

/** @param kind of the request. An LLM that is asked about a late result may find that there is nothing to say. */
export function tellEmptyAnswer(env: SessionEnvironment, kind: string): void {
  env.log('llm_empty_answer', { kind });
  env.perform({
    type: 'signal.warning',
    code: 'llm_empty_answer',
    text: 'The answer of the language model has nothing that can be spoken.',
  });
}

/** What a provider says of an endpoint that is not there, or silent. */
const UNREACHABLE = /could not be reached|in time|timeout|too long|did not begin/i;

/** @param problem in words for the client. */
export function tellLlmFailed(env: SessionEnvironment, problem: string): void {
  // Clients know the first sentence (contract).
  const what = UNREACHABLE.test(problem) ? 'Could not connect to the custom LLM' : 'The language model did not answer';
  env.perform({ type: 'signal.warning', code: 'llm_failed', text: `${what}: ${problem}` });
  env.perform({ type: 'report', entry: { kind: 'error', at: env.now(), code: 'llm_failed' } });
}

/**
 * The client is warned of an answer that broke off. Where nothing had been said, it is told only if no LLM answers at
 * all. @param attempt 1: the second time that it is asked.
 */
export function warnRetried(env: SessionEnvironment, what: RetryKind, attempt: number): void {
  env.log('llm_asked_again', { what, attempt });
  if (what === 'for an answer') return;
  env.perform({
    type: 'signal.warning',
    code: 'llm_asked_again',
    text: 'The answer of the language model broke off; the rest was asked for.',
  });
}
