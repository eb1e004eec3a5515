import { addPersona, addToolCalls, type ConversationHistory } from '../history/conversation-history.ts';
import type { LlmToolCall } from '../../models/ports.ts';
import type { SpokenStep } from './persona-message.ts';

/**
 * How a reply enters the history. A reply of one step enters when it was spoken. A reply that calls tools enters step
 * by step, because the LLM is asked again while its first words are not heard yet. Those words count as heard until
 * delivery says otherwise.
 */

function entryId(messageId: string, step: number): string {
  return `${messageId}#${step}`;
}

export function rememberCalls(
  history: ConversationHistory,
  messageId: string,
  step: number,
  text: string,
  calls: readonly LlmToolCall[],
): ConversationHistory {
  return addToolCalls(addPersona(history, { id: entryId(messageId, step), spoken: text }), calls);
}

/**
 * Delivery has ended: what was heard is certain now. Only an answer with words that were not heard was cut.
 *
 * @param unfinished the answer that the LLM was still writing when it was interrupted: it has such words in any case.
 */
export function rememberSpoken(
  history: ConversationHistory,
  messageId: string,
  steps: readonly SpokenStep[],
  interrupted: boolean,
  unfinished: number | null,
): ConversationHistory {
  const cutStep = interrupted ? steps.findIndex((step) => step.unspoken.trim() !== '') : -1;
  let result = history;
  steps.forEach((step, at) => {
    const id = entryId(messageId, at);
    const isCut = interrupted && ((cutStep !== -1 && at >= cutStep) || at === unfinished);
    const spoken = step.spoken.trim();
    const unspoken = step.unspoken.trim();
    if (result.some((entry) => entry.kind === 'persona' && entry.id === id)) {
      result = result.map((entry) =>
        entry.kind === 'persona' && entry.id === id ? { ...entry, spoken, unspoken, interrupted: isCut } : entry,
      );
    } else if (spoken !== '') {
      // A message of which nothing was heard is left out.
      result = addPersona(result, { id, spoken, unspoken, interrupted: isCut });
    }
  });
  return result;
}
