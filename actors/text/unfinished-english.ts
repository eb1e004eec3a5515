/**
 * English beginnings that require more, which a list of last words cannot show. Words in lower case. A wrong
 * "continues" costs the user time, so in doubt a sentence counts as finished.
 */

/** People say these before they know what to say; alone they are not a message yet. */
const OPENERS: ReadonlySet<string> = new Set([
  'so',
  'well',
  'like',
  'actually',
  'basically',
  'honestly',
  'anyway',
  'and',
  'but',
  'also',
  'um',
  'uh',
  'uhm',
  'er',
  'erm',
  'hmm',
  'hm',
  'okay',
  'ok',
  'yeah',
  'yes',
  'no',
  'right',
  'now',
  'oh',
  'ah',
]);
/** Of these, the ones that are an answer when nothing follows. */
const ANSWERS: ReadonlySet<string> = new Set([
  'okay',
  'ok',
  'yeah',
  'yes',
  'no',
  'right',
  'now',
  'oh',
  'ah',
  'honestly',
  'actually',
]);

/** "I think so", "is that so", "even so": here "so" stands for what was said; elsewhere something follows from it. */
const SO_CLOSES_AFTER: ReadonlySet<string> = new Set([
  'think',
  'thought',
  'hope',
  'guess',
  'say',
  'said',
  'says',
  'told',
  'believe',
  'suppose',
  'imagine',
  'afraid',
  'is',
  'are',
  'do',
  'did',
  'does',
  'why',
  'how',
  'not',
  'even',
  'or',
  'ever',
  'more',
  'very',
  'just',
  'if',
  'that',
  'quite',
  'only',
  'maybe',
  'probably',
]);

/** "It started when …". In "tell me when", "I know where" they end the sentence. */
const SUBORDINATORS: ReadonlySet<string> = new Set(['when', 'where', 'which', 'who', 'whenever', 'wherever', 'since']);
const CLOSES_BEFORE_SUBORDINATOR: ReadonlySet<string> = new Set([
  'tell',
  'me',
  'know',
  'say',
  'ask',
  'since',
  'ever',
  'long',
  'till',
  'until',
  'from',
  'to',
  'with',
  'guess',
  'see',
  'sure',
  'idea',
  'no',
  'or',
  'remember',
  'forgot',
  'exactly',
  'else',
  'wonder',
  'understand',
]);

/** Never at the end of a sentence. */
const ALWAYS_OPEN: ReadonlySet<string> = new Set([
  'without',
  'within',
  'against',
  'despite',
  'besides',
  'except',
  'near',
  'toward',
  'plus',
  'another',
  'called',
  'named',
  'spelled',
  'spelt',
  "i've",
  "you've",
  "we've",
  "they've",
  'dot',
  'underscore',
  'slash',
  'hyphen',
]);

/** The question has its subject and no verb: "what do you", "can I please". "So do I" and "where are you" are whole. */
const NO_VERB_YET =
  /^(?:(?:so(?= wh| how)|well|and|but|um|uh|okay|hi|hello) )*(?:(?:what|when|where|why|how|which|who)(?: (?:much|many|long|often|far|time|kind|one|else|exactly))? )?(?:do|does|did|can|could|will|would|should|shall|may|might) (?:i|you|he|she|it|we|they)(?: (?:please|also|just|maybe|perhaps|possibly|then|still|really))?$/;
/** "Do you have …": a question for yes or no, whose verb has no object. ("What do you need" has one.) */
const NO_OBJECT_YET =
  /^(?:(?:so|well|and|but|um|uh|okay|hi|hello) )*(?:do|does|did|can|could|would|will) (?:i|you|he|she|it|we|they) (?:also |just |still |please |happen to )?(?:have|need|want|offer|sell|accept|take|get|give|send|put|make|find)$/;
/** "I usually …", "we also …" — not in a question, where the adverb may close: "are you still". */
const ADVERB_BEFORE_VERB =
  /(?:^|(?<!\b(?:do|does|did|can|could|will|would|should|is|are|was|were|am|have|has|had|than|as) ))\b(?:i|you|he|she|we|they) (?:just|also|really|always|never|usually|normally|often|sometimes|only|recently|currently|probably|simply|basically|mostly|mainly|generally|first|even)$/;
/**
 * "He had then …", "the time will be exactly …": the verb follows. Not in an answer ("yes, I have already"), nor where something
 * before asks for the end ("what that was exactly", "better than it was then").
 */
const ANSWERS_OR_REFERS = /^(?:yes|yeah|no|sure|so)\b|\b(?:what|where|who|how|when|why|which|that|than|as|if)\b/;
const AUXILIARY = 'am|is|are|was|were|be|been|have|has|had|will|would|can|could|should|might|must|may';
const ADVERB = 'just|also|then|exactly|almost|nearly|only|even|simply|merely|probably|always|never|often|usually';
const ENDS_WITH_ADVERB = new RegExp(`\\S (?:${AUXILIARY}) (?:${ADVERB})$`);
/** "He was not …": people who end there say "he wasn't", or begin with a no. */
const DENIES_OR_REFERS =
  /^(?:yes|yeah|no|sure|so|of course)\b|\b(?:what|where|who|how|when|why|whether|that|than|as|if|or|but|hope)\b/;
const ENDS_WITH_NOT = /\S (?:is|are|was|were) not$/;

/** "To" closes behind these ("who did you talk to", "if you want to"); elsewhere a verb or a place follows. */
const TO_CLOSES_AFTER: ReadonlySet<string> = new Set([
  'talk',
  'talking',
  'talked',
  'speak',
  'speaking',
  'spoke',
  'listen',
  'listening',
  'refer',
  'referring',
  'belong',
  'belongs',
  'go',
  'going',
  'went',
  'send',
  'sent',
  'write',
  'wrote',
  'written',
  'forward',
  'want',
  'wanted',
  'need',
  'have',
  'had',
  'like',
  'love',
  'used',
  'able',
  'supposed',
  'allowed',
  'related',
  'connected',
  'married',
  'happen',
  'happened',
  'get',
  'got',
  'up',
  'next',
  'close',
  'it',
  'that',
  'not',
]);

/** What is dictated after these has more than a digit or a letter. */
const DICTATED = 'number|code|pin|zip|postcode|phone|card|account|extension|reference';
const DICTATION = new RegExp(`\\b(?:${DICTATED}) (?:is|was|it's)\\b|\\b(?:spelled|spelt|spell|letters?|initials)\\b`);
/** Shorter codes and names are the exception. */
const SPELLED_LETTERS = 5;
/** "I live at twenty four …": a street follows. */
const HOUSE_NUMBER =
  /\b(?:live at|lives at|living at|address is|address was|located at|deliver(?:ed)? to|ship(?:ped)? to) (?:(?:number|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred) ?)+$/;

/** Whom one speaks to, before anything is said: "my fellow Americans", "ladies and gentlemen". */
const ADDRESS = /^(?:ladies and gentlemen|my dear [a-z]+|my (?:dear )?(?:fellow [a-z]+|friends|colleagues))$/;

/**
 * "Unless the parcel comes tomorrow …", "when I opened the box …": the main clause follows. In it somebody does something,
 * or is asked or told to. Short ones are answers ("if you want", "when I get home").
 */
const CONDITION =
  /^(?:unless|although|though|whereas|whenever|if|while|when (?!(?:is|are|was|were|have|has|had|am)\b)\S+) /;
const MIN_CONDITION_LENGTH = 5;
const SUBJECT = /\b(?:i|you|he|she|it|we|they|there|that|this|who|what)\b/g;
const ASKS_OR_TELLS =
  /\b(?:can|could|would|will|should|do|does|did|how|where|why|which|please|let|tell|call|give|send|show|just|is to)\b/;

function hasNoMainClause(text: string): boolean {
  if (!CONDITION.test(text) || text.split(' ').length < MIN_CONDITION_LENGTH) return false;
  const subjects = text.replaceAll(/'\w+/g, '').match(SUBJECT)?.length ?? 0;
  return subjects < 2 && !ASKS_OR_TELLS.test(text);
}

/** @returns whether something has to follow; false when nothing speaks for it. */
export function asksForMore(words: readonly string[]): boolean {
  const text = words.join(' ');
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (words.every((word) => OPENERS.has(word)) && !ANSWERS.has(last)) return true;
  if (words.length < 2) return false;
  if (ALWAYS_OPEN.has(last)) return true;
  if (last === 'so') return words.length >= 4 && !SO_CLOSES_AFTER.has(before);
  if (SUBORDINATORS.has(last)) return words.length >= 3 && !CLOSES_BEFORE_SUBORDINATOR.has(before);
  if (last === 'to' && words.length >= 3 && !TO_CLOSES_AFTER.has(before)) return true;
  return (
    NO_VERB_YET.test(text) ||
    NO_OBJECT_YET.test(text) ||
    ADVERB_BEFORE_VERB.test(text) ||
    (ENDS_WITH_ADVERB.test(text) && !ANSWERS_OR_REFERS.test(text)) ||
    (ENDS_WITH_NOT.test(text) && !DENIES_OR_REFERS.test(text)) ||
    HOUSE_NUMBER.test(text) ||
    isSpelling(words, text) ||
    hasNoMainClause(withoutOpeners(words)) ||
    ADDRESS.test(withoutOpeners(words))
  );
}

function withoutOpeners(words: readonly string[]): string {
  return words.slice(words.findIndex((word) => !OPENERS.has(word))).join(' ');
}

/** A dictated number with fewer digits continues: telephone numbers have more. */
export const UNANNOUNCED_DIGITS = 7;
/** The first that was named counts: "card number". Where there is none, it may be a telephone number. */
const DIGITS_OF: readonly (readonly [what: RegExp, digits: number])[] = [
  [/\bcard\b/, 16],
  [/\bpin\b/, 4],
  [/\bzip\b/, 5],
];

/** @returns how many digits the number has that is being dictated; null: none was announced. One digit is a beginning. */
export function announcedDigits(words: readonly string[]): number | null {
  const text = words.join(' ');
  if (!DICTATION.test(text)) return null;
  return DIGITS_OF.find(([what]) => what.test(text))?.[1] ?? UNANNOUNCED_DIGITS;
}

function isSpelling(words: readonly string[], text: string): boolean {
  const start = words.findLastIndex((word) => !/^[a-z]$/.test(word)) + 1;
  const letters = words.length - start;
  return letters >= 1 && letters < SPELLED_LETTERS && start > 0 && DICTATION.test(text);
}
