import { personaOf } from '../persona.ts';
import type { Answerer, Scene } from '../scene.ts';
import { subjectStems } from '../words.ts';
import { asksSomething } from './questions.ts';

/** Answers a question from what the operator wrote about the persona. */
export const personaFacts: Answerer = (scene) => {
  const fact = asksSomething(scene) ? factFor(scene) : null;
  return fact === null ? null : { say: fact };
};

/**
 * The sentence of the persona's description that has most words in common with the question. It needs half of the
 * question's subject words. Of several, one that begins with such a word is about it: "Parley is …".
 */
export function factFor(scene: Scene): string | null {
  const wanted = new Set(subjectStems(scene.said));
  if (wanted.size === 0) return null;
  let best: { fact: string; shared: number; rank: number } | null = null;
  for (const fact of personaOf(scene).facts) {
    const words = subjectStems(fact);
    const shared = [...wanted].filter((word) => words.includes(word)).length;
    const rank = shared + (wanted.has(words[0] ?? '') ? 0.5 : 0);
    if (shared > 0 && rank > (best?.rank ?? 0)) best = { fact, shared, rank };
  }
  return best !== null && best.shared * 2 >= wanted.size ? best.fact : null;
}
