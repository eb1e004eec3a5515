/** Pictures within a text: megabytes that say nothing. */
const PICTURE = /\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w.=+-]+)*;base64,[A-Za-z0-9+/=%]*/g;

/** Bytes as letters, of files within a text: a long line of them, or many lines of one length. */
const BYTES = /(?:^[A-Za-z0-9+/]{60,76}\r?\n){8,}[A-Za-z0-9+/]*={0,2}|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{400,}={0,2}/gm;

const withoutBytes = (run: string): string => (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? '' : run);

/** Signs of the fonts Symbol and Wingdings, where documents mark items with them; any other code has a meaning only there. */
const SIGNS: Readonly<Record<string, string>> = {
  '\uF0B7': '•',
  '\uF0A7': '▪',
  '\uF06E': '■',
  '\uF06F': '□',
  '\uF0A8': '☐',
  '\uF0FE': '☑',
  '\uF0FD': '☒',
  '\uF0FC': '✓',
  '\uF0FB': '✗',
  '\uF0D8': '➢',
  '\uF0E0': '→',
};

/** Colors of a terminal. */
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'g');

/**
 * A text as people read it: without what is invisible (soft hyphens, joiners of words, U+0000, which PostgreSQL does not
 * keep) and with its ligatures as letters, so that its words are found.
 */
export function cleanText(text: string): string {
  return (
    text
      .replaceAll(PICTURE, '')
      .replaceAll(BYTES, withoutBytes)
      .replaceAll(COLORS, '')
      // Line ends of old Macs, of Unicode and of mainframes.
      .replaceAll(/\r(?!\n)|[\u2028\u0085]/g, '\n')
      .replaceAll('\u2029', '\n\n')
      .replaceAll(/\u00AD\r?\n[ \t]*/g, '')
      // Ends of pages and columns.
      .replaceAll(/[\f\v]/g, '\n\n')
      .replaceAll(/[\u00AD\u200B\u2060\uFEFF]/g, '')
      // The end of a file of MS-DOS, and codes of fonts that do not say which letters they show.
      .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
      .replaceAll(/[\uE000-\uF8FF]/g, (sign) => SIGNS[sign] ?? '')
      .replaceAll(/[\u2010\u2011]/g, '-')
      // Also forms of Arabic and Hebrew letters.
      .replaceAll(/[\uFB00-\uFDFF\uFE70-\uFEFC]/g, (ligature) => ligature.normalize('NFKC'))
      .replaceAll(SPACED, withoutGaps)
      .replaceAll(VERTICAL, (lines) => lines.replaceAll('\n', ''))
  );
}

/** A line of a title whose letters have blanks between them, and its words more of them. */
const SPACED = /^[ \t]*\p{Lu}(?: \p{Lu}){3,}(?: {2,}\p{Lu}(?: \p{Lu})*)*[ \t]*$/gmu;
/** Chinese and Japanese from top to bottom: a character a line. */
const CHARACTER = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー。、]';
const VERTICAL = new RegExp(`^(?:${CHARACTER}\\n){3,}${CHARACTER}$`, 'gmu');

/** "H O U S E   R U L E S"; names of columns and of answers ("A B C D") stay. */
function withoutGaps(line: string): string {
  const words = line
    .trim()
    .split(/ {2,}/)
    .map((word) => word.replaceAll(' ', ''));
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.includes(words.join('')) ? line : words.join(' ');
}

/** Parts of words that are written with a hyphen before another word. */
const KEEPS_ITS_HYPHEN =
  /^(?:all|anti|co|cross|e|ex|full|half|high|ill|in|know|long|low|mid|multi|non|off|on|open|part|post|pre|pro|re|real|self|semi|short|so|sub|two|three|four|up|user|vice|well|wi|x)$/i;

/**
 * Joins the words that a page layout has cut at the ends of its lines. "Well-known" and "e-mail" keep their hyphen, and
 * so does what is written with one elsewhere in the text.
 */
export function joinLines(text: string): string {
  return text.replaceAll(/(\p{L}+)-\n[ \t]*(\p{Ll}+)/gu, (match, before: string, after: string) => {
    const hyphenated = `${before}-${after}`;
    if (KEEPS_ITS_HYPHEN.test(before) || text.includes(hyphenated)) return hyphenated;
    return before.length === 1 && !text.includes(before + after) ? match.replace(/\n[ \t]*/, '') : before + after;
  });
}
