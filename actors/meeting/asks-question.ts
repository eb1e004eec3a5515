import { endsWithQuestion } from '../history/conversation-history.ts';
import { plainWords } from '../text/words.ts';

/** First words of questions. Recognizers often write no question mark. Lower case, without accents. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    "what what's who who's whose when where where's why how how's which can could would will do does did is are was were should " +
    'was wer wann wo wie warum wieso weshalb welche welcher welches wieviel kannst konnen konntest konnten gibt hast haben ist sind wurdest ' +
    'que quoi qui quand ou pourquoi comment combien quel quelle quels quelles est peux pouvez pourrais ' +
    'quien cuando donde como cual cuanto puedes podrias tiene hay ' +
    'cosa chi quando dove perche come quale quanto puoi potresti ' +
    'quem onde qual pode poderia ' +
    'wat wie wanneer waar waarom hoe welk welke kun kunt kan'
  ).split(' '),
);
/** "And what about …", "okay, so how …": not part of the question. */
const OPENERS: ReadonlySet<string> = new Set(
  'and but so or okay ok well then now und aber also et mais alors y pero entonces e ma allora mas en maar dus'.split(
    ' ',
  ),
);
/** More words before the question are a statement. */
const MAX_OPENERS = 3;

/** @returns whether the text looks like a question: by its mark, or by its first word. */
export function asksQuestion(text: string, language: string | null): boolean {
  if (endsWithQuestion(text)) return true;
  const words = plainWords(text, language);
  const first = words.slice(0, MAX_OPENERS + 1).find((word) => !OPENERS.has(word));
  return first !== undefined && QUESTION_WORDS.has(first);
}
