import { OPEN_ENDINGS } from './sentence-openness.ts';
import { wordSpans } from './words.ts';

/**
 * Guesses the language of a text by its function words: articles, pronouns, conjunctions. Those of
 * `sentence-openness.ts` count, and these.
 */
const FREQUENT: Readonly<Record<string, string>> = {
  en: 'i he she we they is are was so what it you me do does did not that this to of in on for with have how go all no yes up out about at will can would been has had from there here just like good please thank thanks',
  de: 'das ist sind ich du er wir ihr sie es nicht kein auch noch nur schon hier ja nein wie wo wann auf mit nach aus um über unter gut bitte danke haben habe kann können wird werden sein guten hallo gerne gern heute morgen uhr sich dir mir ihnen',
  fr: "est sont suis es il elle nous vous ils elles que qui où ne pas plus bien oui avec bonjour merci cela ça ont avez fait peut être même aussi tout très c'est n'est d'accord",
  es: 'es está están son soy hay qué cómo dónde no sí muy bien gracias hola yo él ella nosotros usted ustedes se le lo más también todo tiene puede cuesta buenos',
  it: 'è sono ha hanno non si ci ciao grazie questo questa come dove quanto più anche molto bene può costa buongiorno',
  pt: 'é são está não sim muito bem obrigado obrigada olá você vocês eu ele ela nós isso mais também tem pode custa',
  nl: 'ik je jij wij zij hij niet ook goed dank hallo met op aan bij naar dit wat waar kan kunt graag er',
  sv: 'är jag inte det du vi ni han hon den på av med till kan ska tack hej',
  da: 'er jeg ikke det du vi på af med til kan skal tak hej',
  no: 'er jeg ikke det du vi på av med til kan skal takk hei',
  pl: 'jest są nie tak się to jak dzień dobry dziękuję',
};
/** Letters of one language. Scripts of several languages are not here: their words tell. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
];
/** A few hundred words tell as much as thousands. */
const LONGEST_SAMPLE = 2_000;

/** English fillers: everybody writes "Hmm", and "um" is a word of others. */
const FILLER = /^(?:h+m+|u+h?m*|e+r+m*)$/;

let signs: ReadonlyMap<string, ReadonlySet<string>> | null = null;

/**
 * @param text what was written so far.
 * @returns ISO 639-1; null while no language has more of its words in it than every other one.
 */
export function guessLanguage(text: string): string | null {
  const sample = text.slice(0, LONGEST_SAMPLE);
  const script = scriptLanguage(sample);
  if (script !== null) return script;
  const [best, second] = counts(lowerWords(sample)).toSorted((a, b) => b.hits - a.hits);
  return best !== undefined && best.hits > (second?.hits ?? 0) ? best.language : null;
}

/** @param words in lower case. @returns the language whose function words occur most; English in doubt. */
export function likelyLanguage(words: readonly string[]): string {
  return counts(words).reduce((best, next) => (next.hits > best.hits ? next : best)).language;
}

/** @returns the language of a script that only one language has. */
export function scriptLanguage(text: string): string | null {
  return SCRIPTS.find(([script]) => script.test(text))?.[1] ?? null;
}

export function lowerWords(text: string): string[] {
  return wordSpans(text.replaceAll(/[\u2018\u2019\u02bc]/g, "'")).map((span) =>
    span.text.normalize('NFC').toLowerCase(),
  );
}

/** English first. */
function counts(words: readonly string[]): { readonly language: string; readonly hits: number }[] {
  signs ??= new Map(Object.keys(OPEN_ENDINGS).map((language) => [language, signsOf(language)]));
  return [...signs].map(([language, known]) => ({
    language,
    hits: words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0),
  }));
}

function signsOf(language: string): Set<string> {
  const { words, phrases = '', opinions = '' } = OPEN_ENDINGS[language] ?? { words: '' };
  const list = [words, phrases, opinions, FREQUENT[language] ?? ''].flatMap((some) => some.split(/[ |]/));
  return new Set(list.filter((word) => word !== '' && !(language === 'en' && FILLER.test(word))));
}
