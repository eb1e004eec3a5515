import type { Change } from './change.ts';

/**
 * Models whose chat templates lose something without a word, by their names: nothing is refused, so it cannot be found
 * out. Checked with the official templates of llama.cpp (`chat-templates.long.test.ts`).
 */
const KNOWN_MODELS: readonly (readonly [name: RegExp, changes: readonly Change[]])[] = [
  // The system prompt goes before the last message of the user, and is lost after the result of a tool.
  [/mistral-?nemo|mistral-(7b|large|small).*(v0\.3|-240\d)|mixtral-8x22b|codestral-22b|mathstral/i, ['prompt-in-user']],
  // They leave out messages with the role "tool".
  [/rwkv|phi-?3/i, ['calls-as-text']],
];

export function changesFor(modelName: string): readonly Change[] {
  return KNOWN_MODELS.filter(([name]) => name.test(modelName)).flatMap(([, changes]) => changes);
}
