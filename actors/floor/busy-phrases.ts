/** What people say to others in the room, or why they have no time. Plain words: lower case, without accents. */

/** Whom one speaks to in the room. */
export const VOCATIVES: ReadonlySet<string> = new Set([
  'mom',
  'mum',
  'mommy',
  'mummy',
  'dad',
  'daddy',
  'honey',
  'sweetie',
  'sweetheart',
  'darling',
  'babe',
  'kids',
  'guys',
  'mama',
  'papa',
  'maman',
  'schatz',
  'mutti',
  'vati',
  'cherie',
  'carino',
  'amore',
  'tesoro',
]);

/** Why somebody has to wait: said to the persona or to somebody in the room, and neither wants an answer. */
export const BUSY: readonly string[] = [
  "i'm on a call",
  "i'm on the phone",
  "i'm in a meeting",
  'be right there',
  "i'll be right there",
  'be there in a minute',
  'be there in a second',
  "i'll be there in a minute",
  "i'll be there in a second",
  'not you',
  'ich telefoniere',
  'ich bin am telefon',
  'nicht du',
  'ich komme gleich',
  'komme gleich',
  'je suis au telephone',
  "j'arrive",
  'estoy al telefono',
  'ya voy',
  'sono al telefono',
  'arrivo subito',
];

/** "I am" and "im", as recognizers write it without apostrophes, become "i'm". */
export function contracted(words: readonly string[]): readonly string[] {
  return words
    .join(' ')
    .replaceAll(/\b(?:i am|im)\b/g, "i'm")
    .replaceAll(/\b(?:i will|ill)\b/g, "i'll")
    .split(' ')
    .filter((word) => word !== '');
}
