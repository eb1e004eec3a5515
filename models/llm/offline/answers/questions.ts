import type { Scene } from '../scene.ts';

const ASKING =
  /^(?:(?:so|and|but|well|ok|okay|um|uh|please|hey|hello|hi) )*(who|what|what's|when|where|where's|which|whose|why|how|is|are|am|do|does|did|can|could|may|will|would|should|shall|has|have|tell me|do you know|explain|describe|i want to know|i would like to know|i'd like to know|i wonder|wer|was|wann|wo|welche[rsnm]?|warum|wieso|wie|ist|sind|kann|können|gibt|habt|hast|haben|erzähl|qui|que|quoi|quand|où|quel(?:le)?s?|pourquoi|comment|est-ce|combien|avez|quién|qué|cuándo|dónde|cuál(?:es)?|cuánto|por qué|cómo|hay|puedo|chi|cosa|quando|dove|quale|perché|come|quanto|avete|posso)(?= |$)/;

/** Whether it is a question, by its words: recognized speech has no question mark. */
export function asksSomething(scene: Scene): boolean {
  return scene.said.trimEnd().endsWith('?') || ASKING.test(scene.heard);
}
