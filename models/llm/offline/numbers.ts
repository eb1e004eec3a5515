const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000, million: 1_000_000 };

/**
 * Replaces English number words by digits, as recognized speech has them: "twenty five minutes" → `["25", "minutes"]`.
 * Other words stay as they are.
 */
export function withDigits(words: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length;) {
    const { value, next } = numberAt(words, at);
    if (next === at) {
      result.push(words[at] ?? '');
      at += 1;
    } else {
      result.push(String(value));
      at = next;
    }
  }
  return result;
}

/** The numbers of a text in order, from digits and words. */
export function numbersIn(words: readonly string[]): number[] {
  return withDigits(words)
    .filter((word) => /^\d+(\.\d+)?$/.test(word))
    .map(Number);
}

function numberAt(words: readonly string[], start: number): { value: number; next: number } {
  let total = 0;
  let part = 0;
  let at = start;
  let last: 'none' | 'ten' | 'one' | 'scale' = 'none';
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const ones = SMALL.indexOf(word);
    const tens = TENS.indexOf(word);
    const scale = SCALES[word];
    if (tens >= 2 && last !== 'ten' && last !== 'one') [part, last] = [part + tens * 10, 'ten'];
    else if (ones >= 0 && last !== 'one' && (last !== 'ten' || (ones > 0 && ones < 10)))
      [part, last] = [part + ones, 'one'];
    else if (scale === 100 && (last === 'one' || last === 'ten')) [part, last] = [part * 100, 'scale'];
    else if (scale !== undefined && scale > 100 && last !== 'none')
      [total, part, last] = [total + part * scale, 0, 'scale'];
    else if (!(word === 'and' && last === 'scale' && numberAt(words, at + 1).next > at + 1)) break;
  }
  return { value: total + part, next: last === 'none' ? start : at };
}
