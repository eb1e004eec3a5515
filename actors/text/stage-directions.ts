/**
 * Removes what a model writes as if it played a role: `*waves*`, `(laughs softly)`. Emphasis (`*really* good`) and
 * remarks in brackets stay.
 */

/** Actions that are written between stars stand alone, as a sentence of their own, and begin in lower case. */
const STARRED =
  /(^|[.!?…)]["'”’]?\s*|\*\s+)[*_](\p{Ll}[^*_.!?\n]{0,80})[.!…]?[*_](?=\s*(?:$|["'“‘(*_\p{Lu}]|[-–—] ))/gu;
/**
 * English actions begin with a verb of the third person or an -ing form. In other languages only their place decides.
 */
const ENGLISH_ACTION = /^(?:\p{Ll}+ly )?\p{Ll}+(?:s|ing)(?= |$)/u;

const ACTIONS = [
  'laugh chuckle giggle sigh smile grin nod wink wave shrug pause cough gasp whisper cry sob sniff yawn frown blush bow',
  'hum snort sing clear scratch tilt lean look raise roll take',
]
  .join(' ')
  .split(' ')
  .map((verb) => `${verb}(?:e?s|ing)|${verb.replace(/e$/, '')}ing`)
  .join('|');
const OF_OTHERS = [
  'lacht|lächelt|seufzt|nickt|zwinkert|winkt|grinst|kichert|hustet|flüstert|schmunzelt|räuspert sich',
  'ríe|sonríe|suspira|asiente|guiña|saluda|tose|susurra',
  'rit|sourit|soupire|hoche|tousse|chuchote|fait un clin',
  'ride|sorride|sospira|annuisce|saluta|tossisce|sussurra',
  'ri|sorri|acena|pisca',
].join('|');
const ACTION = `(?:\\p{Ll}+ly )?(?:${ACTIONS}|${OF_OTHERS})(?: [\\p{Ll}' -]{1,40})?`;
/** In brackets only known actions are removed: most text in brackets is meant to be said. */
const BRACKETED = new RegExp(`\\(${ACTION}[.!…]?\\)`, 'gu');
/** Between stars such an action may stand in mid-text. "Is he *smiling*?" is emphasis. */
const STARRED_ACTION = new RegExp(
  `(?<![*\\p{L}\\d])\\*(?!\\p{Ll}+ing(?!\\p{L}))${ACTION}[.!…]?\\*(?![*\\p{L}\\d])`,
  'gu',
);

/** Moods and sounds that models write in square brackets, beside actions. */
const MOODS = [
  'pause|beat|silence|music|applause|sigh|laugh|giggle|chuckle|gasp|whisper|cough|inaudible|unintelligible|interrupted',
  'excited|thoughtful|sarcastic|amused|confused|nervous|serious|gentle|calm|cheerful|enthusiastic|empathetic|kind',
  'sympathetic|apologetic|reassuring|encouraging|neutral|skeptical|hopeful|proud|embarrassed|shocked|scared|tired',
  'bored|relieved|sincere|friendly|confident|soft|quiet|loud|shouts|shouting|exhales|inhales|laughing|lachend',
  'lachen|seufzen|rire|rires|soupir|risa|risas|suspiro|risata|risate|sospiro|riso|risos|pausa|silencio|silenzio',
  'lächelnd|seufzend|riant|souriant|riendo|sonriendo|ridendo|sorridendo|rindo|sorrindo',
].join('|');
const MOOD = `(?:(?:very|slightly|a little|long|short|brief) )?(?:${MOODS})`;
const BRACKETED_DIRECTION = new RegExp(`^(?:${ACTION}|${MOOD}|\\p{Ll}+ly|\\p{Ll}+ing \\p{Ll}+ly)$`, 'u');

/** @param words in lower case, from square brackets. @returns whether they are a direction wherever they stand. */
export function isBracketedDirection(words: string): boolean {
  return BRACKETED_DIRECTION.test(words);
}

/** @param text one sentence or more. @param language ISO 639-1; null where it is not known. */
export function withoutStageDirections(text: string, language: string | null): string {
  if (!/[*_(]/.test(text)) return text;
  return text
    .replaceAll(BRACKETED, ' ')
    .replaceAll(STARRED_ACTION, ' ')
    .replaceAll(STARRED, (whole, before: string, action: string) =>
      (language ?? 'en') !== 'en' || ENGLISH_ACTION.test(action) ? `${before} ` : whole,
    );
}
