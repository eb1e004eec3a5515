/** Lower-case words of a text, without punctuation. `Let's go!` → `["let's", "go"]`. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu) ?? []
  );
}

/** English words that are no subject. */
const FUNCTION_WORDS = new Set(
  (
    'a an the and or but if then so than that this these those there here it its he she they them we us i me my mine you your yours our their his her who whom whose what which when where why how ' +
    'is are was were be been being am do does did done have has had having can could will would shall should may might must not no yes of in on at to for from by with about into onto over under up down out off as ' +
    "just really very much many more most some any all please tell say know want like need get got give let make put go going come also too again now ok okay well hey hi hello um uh er i'm i'd i'll i've it's " +
    "you're don't doesn't didn't can't what's who's where's when's how's that's there's is'nt let's thing things something anything one"
  ).split(' '),
);

/** Removes the most common English endings, so that "hours", "opening" and "opened" match "hour" and "open". */
export function stem(word: string): string {
  const bare = word.replace(/'s?$/, '');
  if (bare.length <= 3) return bare;
  if (bare.endsWith('ies')) return `${bare.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(bare)) return bare;
  const cut = bare.replace(/(ing|ed|es|s)$/, '');
  if (cut.length < 3) return bare;
  // "shopping" → "shop", "closing" and "close" → "clos".
  return cut.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=.{3})e$/, '');
}

/** Stems of the subject words. */
export function subjectStems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map(stem);
}

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Sentences of a text, with their end marks. A line break also ends one. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+/)
    .flatMap((line) => line.match(/.+?(?:[.!?…]+(?=\s|$)|$)/g) ?? [])
    .map((sentence) => sentence.replace(/^[\s*#>•-]+/, '').trim())
    .filter((sentence) => sentence !== '');
}

export function capitalised(text: string): string {
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
