/** Removes HTML and SSML tags from text, and decodes HTML character references: `<b>R&amp;D</b>` is "R&D". */

/** Tags inside of a word or a line: "<b>bold</b>ly", "H<sub>2</sub>O". They leave nothing behind. */
const INLINE = [
  'abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|emphasis|font|i|ins|kbd|lang|mark|phoneme|prosody|q|s',
  'samp|say-as|small|span|strike|strong|sub|sup|time|tt|u|var|voice|w',
].join('|');
/** These separate words: "one<br>two". */
const BLOCK = [
  'a|article|audio|blockquote|body|br|break|button|center|dd|details|div|dl|dt|figure|footer|form',
  'h[1-6]|head|header|hr|html|iframe|img|input|label|li|link|main|meta|nav|ol|option|p|pre|section',
  'select|speak|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul|video',
].join('|');
/** With a value: `a<b then c>d` compares numbers and has no tag. */
const ATTRIBUTES = String.raw`(?:\s+[\w:.-]{1,40}\s?=\s?(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'|[^\s"'<>]{1,200}))*\s?/?`;
const POWER = /(?<=[\p{L}\d)])<sup>(\d{1,4})<\/sup>/giu;
const INLINE_TAG = new RegExp(`<(?:/(?:${INLINE})\\s?|(?:${INLINE})${ATTRIBUTES})>`, 'gi');
const BLOCK_TAG = new RegExp(`<(?:${BLOCK})${ATTRIBUTES}>`, 'gi');
/** A tag of another kind (`<answer>`), but nothing that belongs to the word before: `List<String>`. */
const OTHER_TAG = new RegExp(
  String.raw`<\/[a-z][\w:-]{0,40}\s?>|(?<![\p{L}\d])<[a-z][\w:-]{0,40}${ATTRIBUTES}>`,
  'giu',
);

/** Bytes that a tokenizer could not join to a character: "<0xF0><0x9F>", and what is shown in their place. */
const BYTES = /(?:<0x[0-9a-f]{2}>)+/gi;

export function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  return text
    .replaceAll(BYTES, ' ')
    .replaceAll(POWER, '^$1')
    .replaceAll(INLINE_TAG, '')
    .replaceAll(BLOCK_TAG, ' ')
    .replaceAll(OTHER_TAG, ' ');
}

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    zwnj: '',
    shy: '',
    ndash: '–',
    mdash: '—',
    minus: '−',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    iexcl: '¡',
    iquest: '¿',
    bull: '•',
    middot: '·',
    deg: '°',
    plusmn: '±',
    times: '×',
    divide: '÷',
    ne: '≠',
    le: '≤',
    ge: '≥',
    asymp: '≈',
    infin: '∞',
    radic: '√',
    sup2: '²',
    sup3: '³',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    rarr: '→',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    sect: '§',
    copy: '©',
    reg: '®',
    trade: '™',
    ordf: 'ª',
    ordm: 'º',
    szlig: 'ß',
    aelig: 'æ',
    AElig: 'Æ',
    oelig: 'œ',
    OElig: 'Œ',
    oslash: 'ø',
    Oslash: 'Ø',
    pi: 'π',
  }),
);
/** `&eacute;`: a letter and its accent. */
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
};
const HIGHEST_CODE_POINT = 0x10ffff;

/** @returns the text with its character references decoded once; unknown ones stay. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)|([a-z][a-z\d]{1,7}));/gi,
    (whole, decimal?: string, hex?: string, letter?: string, accent?: string, name?: string) => {
      if (decimal !== undefined) return character(Number(decimal));
      if (hex !== undefined) return character(Number.parseInt(hex, 16));
      if (letter !== undefined) return (letter + (ACCENTS[accent!.toLowerCase()] ?? '')).normalize('NFC');
      return NAMED.get(name!) ?? NAMED.get(name!.toLowerCase()) ?? whole;
    },
  );
}

function character(code: number): string {
  const isText = code >= 32 && code <= HIGHEST_CODE_POINT && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : ' ';
}
