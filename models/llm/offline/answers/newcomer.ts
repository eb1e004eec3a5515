import { choose, type Answerer } from '../scene.ts';
import { factFor } from './persona-facts.ts';

/** What somebody asks who tries Parley for the first time, in English. Each answer says what is so, and what is not. */
const LINES: readonly (readonly [RegExp, string])[] = [
  [
    /\b((connect|use|add|set up|attach|plug in|switch to|install) (you to )?(a |an |my |my own |another )?(real |proper |better |own |different |local )*(llm|language model|model|chat ?gpt|gpt|claude|gemini|brain|ai)|(get|become|be) smarter)\b/,
    'Connect a real language model by two settings: P, A, R, L, E, Y, underscore, L, L, M, underscore, base URL, and the same with model. Then start the service again. The console can do it too, under LLMs. From then on it answers in my place.',
  ],
  [
    /\b(what is (this|parley|all this)|what's (this|parley)|what (is|are) parley|explain parley|tell me about parley)\b/,
    'This is Parley: live conversations with AI personas, on your own server. It hears you, decides when you have finished, asks a language model, and answers with a voice and a face. No language model is connected yet, so I answer by simple rules.',
  ],
  [
    /\b((can|do|could) you (really |actually )?(understand|think|reason|learn)|are you (really )?(smart|intelligent|clever)|why are you so (stupid|dumb|simple))\b/,
    'No, not really. I match words by rules: I can chat a little, do sums, tell the time, read attached documents and use tools. For anything else I need a real language model.',
  ],
  [
    /\b((can|may|could) i interrupt( you)?|what if i interrupt)\b/,
    'Yes, just speak. I stop, listen, and answer what you said. A short "mm-hm" does not stop me.',
  ],
  [
    /\b((change|choose|use|pick|get) (a |an |the |your |another |my own )*(different |other |better )*(voice|face|avatar|persona)|(make|create|build) (a |my |my own )*(persona|avatar))\b/,
    'In the console, open Personas: there you choose the face, the voice, and the words that describe who I am.',
  ],
  [
    /\b(are you (recording|listening)|do you (record|store|keep|save)|is (this|it) (private|recorded|safe|secure)|where (does|do) my (voice|data|words) go)\b/,
    'What you say is heard on this server. Whether it is kept, and for how long, is set by whoever runs it. Without cloud services nothing leaves the machine.',
  ],
  [
    /\b(what (languages|other languages) (do|can) you|(do|can) you speak (other languages|another language|german|spanish|french|italian|portuguese|japanese))\b/,
    'My rules know English, German, Spanish, French and Italian, some of them only a little. A real language model speaks many more.',
  ],
];

export const newcomer: Answerer = (scene) => {
  const line = LINES.find(([pattern]) => pattern.test(scene.heard));
  // What the operator wrote about the persona goes first.
  return line === undefined || factFor(scene) !== null ? null : { say: choose(scene, [line[1]]) };
};
