import type { Scene } from './scene.ts';
import { capitalised, sentencesOf, wordsOf } from './words.ts';

export interface Persona {
  readonly name: string | null;
  /** Who the persona is, in the first person. Null: the prompt does not say. */
  readonly self: string | null;
  /** Statements of the prompt in the first person, without instructions to the persona. */
  readonly facts: readonly string[];
}

const NAME =
  /\b(?:[Yy]ou are|[Yy]ou're|[Yy]our name is|named|called|[Dd]u bist|[Dd]u heißt|[Tt]u es|[Vv]ous êtes|[Ee]res|[Ss]ei)\s+(?!(?:an?|the|called|named)\b)(\p{Lu}[\p{L}'-]+(?:\s\p{Lu}[\p{L}'-]+)?)/u;
/** Instructions of a prompt, which must not be spoken. */
const ORDER =
  /^(?:please |if |when |only |never |always |do |don't |you (?:must|should|may|can|will|speak|answer|never|always) |your (?:task|job|goal|answers|personality)|[a-z]+ (?:the user|users|only|in|with|short|brief|politely|questions)\b|(?:be|keep|answer|speak|respond|reply|help|greet|ask|use|avoid|act|talk|stay|make|remember|start|end|say|tell|guide|offer|explain|introduce)\b)/i;

export function personaOf(scene: Scene): Persona {
  const sentences = sentencesOf(scene.personaPrompt);
  const name = NAME.exec(scene.personaPrompt)?.[1] ?? null;
  const self = sentences.find((sentence) => /^(you are|you're|your name is)\b/i.test(sentence));
  const facts = sentences
    .filter((sentence) => wordsOf(sentence).length >= 3 && !ORDER.test(sentence))
    .map(inFirstPerson);
  return { name, self: self === undefined ? null : inFirstPerson(self), facts };
}

const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/\byou are\b/gi, 'I am'],
  [/\byou're\b/gi, "I'm"],
  [/\byou have\b/gi, 'I have'],
  [/\byours\b/gi, 'mine'],
  [/\byour\b/gi, 'my'],
  [/\byourself\b/gi, 'myself'],
  [/\b(for|to|with|about|of|from) you\b/gi, '$1 me'],
  [/\byou\b/gi, 'I'],
];

function inFirstPerson(sentence: string): string {
  return capitalised(SWAPS.reduce((text, [pattern, swap]) => text.replace(pattern, swap), sentence));
}
